<?php
// Sends a night's companies and jobs, archives the last job, and checks the result. A second run on the same day changes nothing.

$waits = 0;
$today = gmdate('Y-m-d');

/** The body and headers of the reply. Waits for as long as the gateway says; any other refusal ends the script. */
function call(string $method, string $path, string $key = '', array $form = []): array
{
    for ($try = 1; ; $try++, $GLOBALS['waits']++) {
        $headers = [];
        $curl = curl_init(getenv('GATEWAY_URL') . "/$path");
        if ($form) curl_setopt($curl, CURLOPT_POSTFIELDS, http_build_query($form));
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN'), "Idempotency-Key: $key"],
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$headers) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
                return strlen($line);
            },
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
        ]);
        $body = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status === 200 || $status === 201) return [$body, $headers];
        if (!in_array($status, [429, 503]) || $try === 10)
            throw new Exception("$method $path: $status $body" . curl_error($curl));
        sleep((int) ($headers['retry-after'] ?? 5));
    }
}

function expect($wanted, $seen): void
{
    if ($seen !== $wanted) throw new Exception("expected $wanted, got $seen");
}

function rows(string $file): array
{
    $rows = array_map(fn($line) => explode(';', $line), file($file, FILE_IGNORE_NEW_LINES));
    $names = array_shift($rows);
    return array_map(fn($row) => array_combine($names, $row), $rows);
}

$companies = rows('companies.csv');
$jobs = rows('jobs.csv');
foreach ($companies as $company) call('PATCH', 'companies', "$today-$company[company_public_id]", $company);
foreach ($jobs as $job) {
    $id = $job['public_id'];
    unset($job['public_id']);
    call('POST', "jobs/$id", "$today-$id", $job);
}

$archive = ['POST', "jobs/$id", "$today-$id-archive", ['state' => 'archived']];
expect('archived', call(...$archive)[1]['job-state']);
expect('archived', call('GET', "jobs/$id")[1]['job-state']);
expect('true', call(...$archive)[1]['idempotency-replayed'] ?? '');

$archived = [];
$page = "jobs?media-public-id=$job[media_public_id]&state=archived&first=100";
while ($page) {
    [$body, $headers] = call('GET', $page);
    array_push($archived, ...array_column(json_decode($body, true)['data'], 'public_id'));
    $page = preg_match('/<(.+)>; rel="next"/', $headers['link'] ?? '', $link) ? $link[1] : null;
}
expect(true, in_array($id, $archived));
printf("%d companies and %d jobs sent, %s archived, waited %d times\n", count($companies), count($jobs), $id, $waits);

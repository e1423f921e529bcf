import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.*;
import java.nio.file.*;
import java.time.*;
import java.util.*;
import java.util.stream.*;

/** Sends a night's companies and jobs, archives the last job, and checks the result. A second run on the same day changes nothing. */
class Nightly {
    static int waits = 0;

    public static void main(String[] args) throws Exception {
        var today = LocalDate.now(ZoneOffset.UTC);
        var companies = rows("companies.csv");
        var jobs = rows("jobs.csv");
        for (var company : companies)
            call("POST", "companies", today + "-" + company.get("company_public_id"), company); // HttpURLConnection cannot send PATCH
        String id = null, media = null;
        for (var job : jobs) {
            id = job.remove("public_id");
            media = job.get("media_public_id");
            call("POST", "jobs/" + id, today + "-" + id, job);
        }

        var key = today + "-" + id + "-archive";
        var archive = Map.of("state", "archived");
        expect("archived", call("POST", "jobs/" + id, key, archive).getHeaderField("Job-State"));
        expect("archived", call("GET", "jobs/" + id, null, null).getHeaderField("Job-State"));
        expect("true", call("POST", "jobs/" + id, key, archive).getHeaderField("Idempotency-Replayed"));

        var archived = new StringBuilder();
        for (var page = "jobs?media-public-id=" + media + "&state=archived&first=100"; page != null; ) {
            var reply = call("GET", page, null, null);
            archived.append(new String(reply.getInputStream().readAllBytes(), UTF_8));
            var link = reply.getHeaderField("Link"); // <jobs?…>; rel="next"
            page = link == null ? null : link.substring(1, link.indexOf('>'));
        }
        expect(true, archived.indexOf("\"public_id\":\"" + id + "\"") >= 0); // Java has no JSON parser
        System.out.printf("%d companies and %d jobs sent, %s archived, waited %d times%n",
            companies.size(), jobs.size(), id, waits);
    }

    /** Waits for as long as the gateway says. Any other refusal ends the program. */
    static HttpURLConnection call(String method, String path, String key, Map<String, String> form) throws Exception {
        for (int tries = 1; ; tries++, waits++) {
            var call = (HttpURLConnection) new URL(System.getenv("GATEWAY_URL") + "/" + path).openConnection();
            call.setRequestMethod(method);
            call.setReadTimeout(30_000);
            call.setRequestProperty("Authorization", "Bearer " + System.getenv("TOKEN"));
            if (form != null) {
                call.setRequestProperty("Idempotency-Key", key);
                call.setDoOutput(true); // as application/x-www-form-urlencoded
                call.getOutputStream().write(form.entrySet().stream()
                    .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                    .collect(Collectors.joining("&")).getBytes(UTF_8));
            }
            int status = call.getResponseCode();
            if (status == 200 || status == 201) return call;
            if ((status != 429 && status != 503) || tries == 10) {
                var body = new String(call.getErrorStream().readAllBytes(), UTF_8);
                throw new Exception(method + " " + path + ": " + status + " " + body);
            }
            Thread.sleep(1_000L * call.getHeaderFieldInt("Retry-After", 5));
        }
    }

    static void expect(Object wanted, Object seen) throws Exception {
        if (!wanted.equals(seen)) throw new Exception("expected " + wanted + ", got " + seen);
    }

    static List<Map<String, String>> rows(String file) throws Exception {
        var lines = Files.readAllLines(Path.of(file)).stream().map(line -> line.split(";", -1)).toList();
        return lines.stream().skip(1).map(row -> IntStream.range(0, row.length).boxed()
            .collect(Collectors.toMap(column -> lines.get(0)[column], column -> row[column]))).toList();
    }
}

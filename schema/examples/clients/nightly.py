"""Sends a night's companies and jobs, archives the last job, and checks the result. A second run on the same day changes nothing."""

import csv, datetime, os, sys, time
import requests

gateway, waits = os.environ["GATEWAY_URL"], 0
today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def call(method, path, key=None, form=None):
    """Waits for as long as the gateway says. Any other refusal ends the script."""
    global waits
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Idempotency-Key": key}
    for _ in range(10):
        reply = requests.request(method, f"{gateway}/{path}", headers=headers, data=form, timeout=30)
        if reply.status_code not in (429, 503):
            break
        waits += 1
        time.sleep(int(reply.headers.get("Retry-After", 5)))
    return reply if reply.ok else sys.exit(f"{method} {path}: {reply.status_code} {reply.text}")


def expect(wanted, seen):
    if seen != wanted:
        sys.exit(f"expected {wanted}, got {seen}")


def rows(file):
    with open(file, encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter=";", quoting=csv.QUOTE_NONE))


companies, jobs = rows("companies.csv"), rows("jobs.csv")
for company in companies:
    call("PATCH", "companies", f"{today}-{company['company_public_id']}", company)
for job in jobs:
    job_id = job.pop("public_id")
    call("POST", f"jobs/{job_id}", f"{today}-{job_id}", job)

archive = "POST", f"jobs/{job_id}", f"{today}-{job_id}-archive", {"state": "archived"}
expect("archived", call(*archive).headers["Job-State"])
expect("archived", call("GET", f"jobs/{job_id}").headers["Job-State"])
expect("true", call(*archive).headers.get("Idempotency-Replayed"))

archived, page = [], f"jobs?media-public-id={job['media_public_id']}&state=archived&first=100"
while page:
    reply = call("GET", page)
    archived += [listed["public_id"] for listed in reply.json()["data"]]
    page = reply.links.get("next", {}).get("url")
expect(True, job_id in archived)
print(f"{len(companies)} companies and {len(jobs)} jobs sent, {job_id} archived, waited {waits} times")

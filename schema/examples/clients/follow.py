"""Keeps a copy of a media's jobs and companies in copy.json. You can kill it at any time: the next start resumes where it stopped."""

import json, os, sys, time
import requests

gateway, media, file = os.environ["GATEWAY_URL"], os.environ["MEDIA"], "copy.json"
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}


def read(path, **query):
    """Waits as the gateway says. Any other refusal ends the script before it writes the copy: the next start repeats the page."""
    while True:
        reply = requests.get(f"{gateway}/{path}", headers=headers, params=query, timeout=30)
        if reply.status_code not in (429, 503):
            return reply.json() if reply.ok else sys.exit(f"{path}: {reply.status_code} {reply.text}")
        time.sleep(int(reply.headers.get("Retry-After", 5)))


copy = {"after": None, "records": {}}
if os.path.exists(file):
    with open(file, encoding="utf-8") as stored:
        copy = json.load(stored)
while True:
    page = read("changes", **{"media-public-id": media, "after": copy["after"]})
    for change in page["data"]:
        kind, public_id = change["kind"], change["public_id"]
        if change["state"] == "gone":
            copy["records"].pop(f"{kind} {public_id}", None)
            continue
        if kind == "job":
            record = read(f"jobs/{public_id}")["data"]
        else:
            record = read("companies", **{"media-public-id": media, "company-public-id": public_id})["company"]
        copy["records"][f"{kind} {public_id}"] = {"version": change["version"], "record": record}
    copy["after"] = page["after"]
    with open(f"{file}.new", "w", encoding="utf-8") as new:
        json.dump(copy, new)
        new.flush()
        os.fsync(new.fileno())
    os.replace(f"{file}.new", file)
    if not page["more"]:
        time.sleep(5)

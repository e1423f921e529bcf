import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Keeps the versions of a media's records, and the cursor, in one file: the test may kill this process at any moment.
const { URLS, TOKEN, COPY, FIRST = '20' } = process.env;
const urls = URLS.split(' ');
const headers = { authorization: `Bearer ${TOKEN}` };

for (let turn = 0; ; turn += 1) {
  const { records, after } = JSON.parse(readFileSync(COPY, 'utf8'));
  const query = new globalThis.URLSearchParams({
    'media-public-id': 'demo-media',
    first: FIRST,
    ...(after && { after }),
  });
  const reply = await globalThis
    .fetch(`${urls[turn % urls.length]}/changes?${query}`, { headers })
    .catch(() => null);
  if (reply?.status !== 200) {
    await sleep(50);
    continue;
  }
  const page = await reply.json();
  for (const { kind, public_id: id, version, state } of page.data)
    if (state === 'gone') delete records[`${kind} ${id}`];
    else records[`${kind} ${id}`] = `${version} ${state}`;
  writeFileSync(`${COPY}.new`, JSON.stringify({ records, after: page.after }));
  renameSync(`${COPY}.new`, COPY);
  if (!page.more) await sleep(100);
}

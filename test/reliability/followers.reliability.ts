import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Models } from '../../src/models.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { Client } from './support/client.js';
import { shareDatabase } from './support/installation.js';
import { randomFor } from './support/random.js';

const seconds = Number(process.env.RELIABILITY_SECONDS ?? 20);
const kills = 10;
const follower = fileURLToPath(new URL('support/follower.mjs', import.meta.url));
const dayMs = 86_400_000;
/** Two imports move these jobs to another media and back, at the same time. */
const shuttles = Array.from({ length: 100 }, (_, index) => `shuttle-${index}`);
const jobs = Array.from({ length: 40 }, (_, index) => `porter-${index}`);

afterEach(endAll);

describe('follower of changes that is killed repeatedly (Contract 4.6.1)', () => {
  it(`has a complete copy after ${seconds} s of updates, parallel imports and archiving`, async () => {
    const random = randomFor('followers');
    const { environment, token, uri, models, remove } = await shareDatabase();
    const { importFiles } = commandsOn(uri);
    const bringIn = async (...lines: object[]) => {
      const { code, stderr } = await importFiles(['-'], linesOf(lines));
      if (code !== 0) throw new Error(stderr);
    };
    const job = (publicId: string, given: object) => ({ kind: 'job', public_id: publicId, ...given });
    const place = { media_public_id: 'demo-media', company_public_id: 'acme', name: 'Porter' };
    await bringIn(
      ...[
        {
          kind: 'media',
          public_id: 'other-media',
          name: 'Other',
          job_url_template: 'https://other.example/{job}',
        },
        ...shuttles.map((id) => job(id, place)),
        ...jobs.map((id, index) =>
          job(id, { ...place, company_public_id: index % 2 ? 'acme' : 'globex', state: 'draft' }),
        ),
      ],
    );

    const gateways = await Promise.all(
      [1, 2].map(() => startGatewayProcess({ ...environment, ARCHIVE_EVERY: '1s' })),
    );
    const copy = join(environment.DATA_DIR ?? '', 'copy.json');
    await writeFile(copy, JSON.stringify({ records: {}, after: null }));
    const follow = () =>
      spawn(process.execPath, [follower], {
        env: {
          PATH: process.env.PATH,
          URLS: gateways.map(({ url }) => url).join(' '),
          TOKEN: token,
          COPY: copy,
        },
        stdio: 'inherit',
      });

    let isOver = false;
    const until = async (step: (count: number) => Promise<unknown>) => {
      for (let count = 0; !isOver; count += 1) await step(count);
    };
    const clients = gateways.map(({ url }) => new Client(url, token));
    const writing = Promise.all([
      ...clients.map((client, index) =>
        until((count) => client.updateJob('acme-backend-engineer', { salary: `${index} ${count} €` })),
      ),
      until((count) => clients[0]?.updateCompany({ description: `<p>${count}</p>` }) ?? sleep(1)),
      until(async (count) => {
        const globex = count % 4 < 2 ? ['demo-media', 'other-media'] : ['other-media'];
        const ending = new Date(Date.now() - 90 * dayMs + random.between(0, 3_000));
        const moved = random.pick(jobs);
        await bringIn(
          job(moved, { media_public_id: random.pick(['demo-media', 'other-media']) }),
          job(random.pick(jobs.filter((id) => id !== moved)), {
            state: 'published',
            published_at: ending.toISOString(),
          }),
          job(`new-${count}`, place),
          {
            kind: 'company',
            public_id: 'globex',
            memberships: globex.map((id) => ({ media_public_id: id })),
          },
        );
        await sleep(100);
      }),
      ...['demo-media', 'other-media'].map((media) =>
        until(async () => {
          await bringIn(...shuttles.map((id) => job(id, { media_public_id: media })));
          await sleep(random.between(0, 100));
        }),
      ),
    ]);
    for (let kill = 0; kill < kills; kill += 1) {
      const process_ = follow();
      await sleep((random.between(500, 1_500) * seconds) / kills);
      process_.kill('SIGKILL');
      await once(process_, 'exit');
    }
    isOver = true;
    await writing;
    for (const client of clients) client.close();

    const last = follow();
    const deadline = Date.now() + 60_000;
    const read = async () =>
      (JSON.parse(await readFile(copy, 'utf8')) as { records: Record<string, string> }).records;
    while (Date.now() < deadline) {
      await sleep(500);
      if (JSON.stringify(sorted(await read())) === JSON.stringify(sorted(await stored(models)))) break;
    }
    expect(sorted(await read())).toEqual(sorted(await stored(models)));
    last.kill('SIGKILL');
    await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
    await remove();
  }, 3_600_000);
});

const sorted = (records: Record<string, string>) => Object.entries(records).sort();

/** What a complete copy holds. */
async function stored({ jobs: jobModel, companies }: Models): Promise<Record<string, string>> {
  const there = await companies.find({ 'memberships.media': 'demo-media' }).lean();
  const ids = there.map(({ publicId }) => publicId);
  const ofMedia = await jobModel.find({ media: 'demo-media', company: { $in: ids } }).lean();
  return Object.fromEntries([
    ...there.map(({ publicId, version }) => [`company ${publicId}`, `${version} present`]),
    ...ofMedia.map(({ publicId, version, state }) => [`job ${publicId}`, `${version} ${state}`]),
  ]) as Record<string, string>;
}

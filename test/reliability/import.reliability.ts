import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { collectionsOf, readReach } from '../../src/job/stored-reach.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { root } from '../support/process.js';
import { until } from '../support/until.js';
import { shareDatabase } from './support/installation.js';

describe('SIGSTOP of an import in a batch that moves jobs, until another import has taken over', () => {
  it('the import stops when it goes on, and every job stores what its company says (Contract 3.3.5, 9.2.5, 9.2.6)', async () => {
    const { environment, models, remove } = await shareDatabase();
    const { importFiles } = commandsOn(environment.MONGODB_URI ?? '');
    const ids = Array.from({ length: 3_000 }, (_, index) => `paused-${index}`);
    const place = { media_public_id: 'demo-media', company_public_id: 'acme', name: 'Paused' };
    const job = (publicId: string) => ({ kind: 'job', public_id: publicId });
    const other = { public_id: 'other-media', name: 'Other', job_url_template: 'https://o.example/{job}' };
    const company = { kind: 'company', public_id: 'acme', memberships: [{ media_public_id: 'demo-media' }] };
    const both = { ...company, memberships: [...company.memberships, { media_public_id: 'other-media' }] };
    const begun = [{ kind: 'media', ...other }, both, ...ids.map((id) => ({ ...job(id), ...place }))];
    expect(await importFiles(['-'], linesOf(begun))).toMatchObject({ code: 0 });

    const folder = await mkdtemp(join(tmpdir(), 'import-paused-'));
    const file = join(folder, 'jobs.jsonl');
    await writeFile(file, linesOf(ids.map((id) => ({ ...job(id), media_public_id: 'other-media' }))));
    const paused = spawn(process.execPath, [join(root, 'dist/cli/import.js'), '--on-fault=skip', file], {
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const told = text(paused.stderr);
    await until(async () => (await models.jobs.exists({ isSyncDue: true })) !== null);
    paused.kill('SIGSTOP');
    // Waits until the paused import has lost its lease.
    const taken = await importFiles(['-'], linesOf([{ ...company, brand: 'other-group' }]));
    expect(taken).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('waiting for import by operator'),
    });
    const ended = once(paused, 'exit');
    paused.kill('SIGCONT');
    expect([await ended, await told]).toEqual([[2, null], expect.stringContaining('taken over')]);
    await rm(folder, { recursive: true });

    const stored = await models.jobs.find({ company: 'acme' }).lean();
    const reachNow = await readReach(collectionsOf(models), stored);
    for (const { publicId, media, company: of, brand, isCompanyInMedia } of stored) {
      const { brand: own, isCompanyInMedia: isThere } = reachNow({ media, company: of }).reach;
      expect([publicId, brand, isCompanyInMedia]).toEqual([publicId, own, isThere]);
    }
    const elsewhere = stored.filter(({ media }) => media === 'other-media').map(({ publicId }) => publicId);
    const gone = await models.tombstones.find({ kind: 'job', media: 'demo-media', isBack: false }).lean();
    expect(gone.map(({ publicId }) => publicId).sort()).toEqual(elsewhere.sort());
    await remove();
  }, 200_000);
});

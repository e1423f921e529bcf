/* global fetch, URL */
// Writes `dump.jsonl.gz` and `export.jsonl.gz`: a database that version 1.2.0 wrote, and what its `export` printed.
//
//   git worktree add /tmp/v1.2.0 07aec460 && npm ci --prefix /tmp/v1.2.0
//   node test/upgrade/write-dump.mjs /tmp/v1.2.0 mongodb://127.0.0.1:27017/dump
//
// Drops the database first. 1.2.0 writes everything but what is marked "by hand".
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import mongoose from 'mongoose';

const [release, uri] = process.argv.slice(2);
/** Lets the script write many jobs for measurements. */
const jobCount = Number(process.env.JOBS ?? 180);
const { EJSON } = mongoose.mongo.BSON;

const folder = await mkdtemp(join(tmpdir(), 'dump-'));
const environment = {
  ...process.env,
  NODE_ENV: 'development',
  MONGODB_URI: uri,
  DATA_DIR: folder,
  PORT: '4120',
  LOG_LEVEL: 'warn',
  // The first run of the archiving task is before the import, so due jobs stay.
  ARCHIVE_EVERY: '6d',
  UPDATE_JOB_QUOTA: '100000/1s',
  MUTATION_QUOTA: '100000/1s',
  READ_QUOTA: '100000/1s',
};
const run = (command, args, input) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`dist/cli/${command}.js`, ...args], {
    cwd: release,
    env: environment,
    input,
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command}: ${stderr} ${stdout}`);
  return stdout;
};
const importLines = (lines) =>
  run('import', ['-'], lines.map((line) => JSON.stringify(line)).join('\n') + '\n');

const connection = await mongoose.createConnection(uri).asPromise();
const { db } = connection;
await db.dropDatabase();
run('seed', []);
const gateway = spawn(process.execPath, ['dist/main.js'], {
  cwd: release,
  env: environment,
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.on('exit', () => gateway.kill());
const url = 'http://127.0.0.1:4120';
const isReady = () =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isReady())) await sleep(200);

// Records of an import: those of test/permissions/matrix/places.ts, a brand in three media, and pages of shared sites.
const media = ['demo-media', 'other-media', 'third-media'];
const membership = (id) => ({ media_public_id: id, is_published: true, is_vme_page_published: true });
const company = (public_id, brand, created_by, of = ['demo-media'], others = {}) => ({
  ...{ kind: 'company', public_id, name: public_id, brand, created_by, domain_url: `${public_id}.example` },
  ...{ size_id: 'from_50_to_249', sector_id: 'software;banking' },
  memberships: of.map(membership),
  ...others,
});
const companies = [
  company('company-own-own', 'acme-group', 'tester'),
  company('company-own-other', 'other-group', 'tester'),
  company('company-foreign-own', 'acme-group', 'someone'),
  company('company-foreign-other', 'other-group', 'someone'),
  company('company-abroad', 'acme-group', 'tester', ['other-media']),
  company('employer-own-brand', 'acme-group', 'someone'),
  company('employer-other-brand', 'other-group', 'someone'),
  company('employer-abroad', 'acme-group', 'someone', ['other-media']),
  company('multi', 'multi-group', 'tester', media, { name: 'Multi Œuvres & Fils' }),
  company('multi-second', 'multi-group', 'someone', media),
  company('multi-leaving', 'multi-group', 'someone', media),
  company('page-facebook', null, 'tester', media, { domain_url: 'https://www.facebook.com/page' }),
  company('page-linkedin', null, 'tester', ['demo-media'], { domain_url: 'linkedin.com/company/page' }),
  // 1.2.0 keeps this space of Braille in the key of the name.
  company('braille', null, 'tester', ['demo-media'], { name: 'Braille\u2800Books' }),
];
const job = (public_id, of, by, created_by, others = {}) => ({
  ...{ kind: 'job', public_id, media_public_id: of, company_public_id: by, created_by, name: public_id },
  ...others,
});
const dayMs = 86_400_000;
const daysAgo = (days) => new Date(Date.now() - days * dayMs - 3_600_000).toISOString();
const states = ['draft', 'published', 'published', 'archived'];
const employers = ['multi', 'multi-second', 'multi-leaving'];
const names = ['Développeur·se', 'Comptable (F/H)', 'Sœur infirmière', 'Night guard'];
const jobs = [
  job('job-own-own', 'demo-media', 'employer-own-brand', 'tester', published(2)),
  job('job-own-other', 'demo-media', 'employer-other-brand', 'tester', published(2)),
  job('job-foreign-own', 'demo-media', 'employer-own-brand', 'someone', published(2)),
  job('job-foreign-other', 'demo-media', 'employer-other-brand', 'someone', published(2)),
  job('job-abroad', 'other-media', 'employer-abroad', 'tester', published(2)),
  ...Array.from({ length: jobCount }, (_, index) => {
    const state = states[index % 4];
    // Some are due: published more than 90 days ago.
    const publication = state === 'draft' ? {} : { published_at: daysAgo(index % 120) };
    return job(
      `job-${String(index).padStart(3, '0')}`,
      media[index % 3],
      employers[Math.floor(index / 3) % 3],
      index % 5 === 0 ? 'tester' : 'someone',
      {
        name: `${names[index % 4]} ${index}`,
        state,
        ...publication,
        contract_id: 'permanent',
        salary: '45 000 €',
        localisation: index % 2 ? 'Lyon, France' : null,
        manager_emails: [`manager-${index}@mail.example`],
        description: '<p>Une équipe de <strong>douze</strong> personnes.</p>'.repeat(1 + (index % 3)),
      },
    );
  }),
];
function published(days) {
  return { state: 'published', published_at: daysAgo(days), contract_id: 'permanent' };
}
importLines([
  { kind: 'media', public_id: 'third-media', name: 'Third', job_url_template: 'https://third.example/{job}' },
  ...companies,
  ...jobs,
]);

// Calls.
const tokens = new Map();
const tokenOf = (of) => {
  const claims = ['--roles=media_admin', '--scope=r_w_jobs r_w_companies', '--sub=tester', `--media=${of}`];
  if (!tokens.has(of)) tokens.set(of, run('token', [...claims, '--expires=8h']).trim());
  return tokens.get(of);
};
const send = async (of, method, path, body, headers = {}) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${tokenOf(of)}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = { status: response.status, body: await response.json() };
  if (!response.ok || reply.body.errors) throw new Error(JSON.stringify(reply));
  return reply;
};
const document = `mutation ($input: UpdateJobInput!, $key: String) {
  updateJob(input: $input, idempotencyKey: $key) {
    job {
      publicId name state salary publishedAt managerEmails questions { name ref }
      mediaPublicId company { publicId name } employer { publicId name mediaPublicIds content { description } }
      updatedAt version history(first: 2) { edges { node { actor } } }
    }
    warnings { code field message }
  }
}`;
const companyDocument = `mutation ($input: UpdateCompanyInput!, $key: String) {
  updateCompany(input: $input, idempotencyKey: $key) {
    company { publicId name mediaPublicIds content { description } version }
    warnings { code field message }
  }
}`;
const post = (of, query, variables) => send(of, 'POST', '/graphql', { query, variables });
const mediaOf = (publicId) => jobs.find(({ public_id }) => public_id === publicId).media_public_id;
const ordinary = jobs.slice(5).map(({ public_id }) => public_id);
for (const publicId of ordinary.slice(0, 60))
  await post(mediaOf(publicId), document, { input: { jobPublicId: publicId, salary: '50 000 €' } });
for (const publicId of ordinary.slice(40, 90))
  await send(mediaOf(publicId), 'POST', `/jobs/${publicId}`, { education_id: 'master', salary: '52 000 €' });
// Published again, published first, archived.
for (const publicId of ordinary.slice(0, 40)) {
  const { state, published_at } = jobs.find(({ public_id }) => public_id === publicId);
  const isOver = published_at && Date.now() - Date.parse(published_at) > 90 * dayMs;
  const to = state === 'published' && !isOver ? 'archived' : 'published';
  await send(mediaOf(publicId), 'POST', `/jobs/${publicId}`, { state: to });
}
// So many versions that entries have moved to the history collection.
for (let round = 0; round < 70; round += 1)
  await send('demo-media', 'POST', '/jobs/job-own-own', { salary: `${round} €` });
for (const publicId of ['multi', 'multi-second', 'page-facebook', 'employer-own-brand'])
  await send('demo-media', 'PATCH', '/companies?company-public-id=' + publicId, {
    ...{ media_public_id: 'demo-media', description: '<p>Changed.</p>' },
  });

// Calls with a key, to repeat.
const calls = [];
for (const [index, publicId] of ordinary.slice(60, 72).entries()) {
  const of = mediaOf(publicId);
  const key = `key-${publicId}`;
  // The third of them changes nothing, apart from a warning.
  const salary = index % 3 === 2 ? '52 000 €' : `${index} €`;
  const isRest = index % 2 === 0;
  const reply = isRest
    ? await send(of, 'POST', `/jobs/${publicId}`, { salary, name: 'Ignored' }, { 'idempotency-key': key })
    : await post(of, document, { input: { jobPublicId: publicId, salary, name: 'Ignored' }, key });
  const body = isRest ? { salary, name: 'Ignored' } : { jobPublicId: publicId, salary, name: 'Ignored' };
  calls.push({ kind: 'job', publicId, media: of, key, isRest, body, reply: reply.body });
}
for (const [index, publicId] of ['multi', 'employer-own-brand', 'company-own-own'].entries()) {
  const key = `key-${publicId}`;
  const isRest = index !== 1;
  const text = `<p>Called ${index}.</p>`;
  const restBody = { media_public_id: 'demo-media', description: text };
  const input = { mediaPublicId: 'demo-media', companyPublicId: publicId, description: text };
  const reply = isRest
    ? await send('demo-media', 'PATCH', `/companies?company-public-id=${publicId}`, restBody, {
        'idempotency-key': key,
      })
    : await post('demo-media', companyDocument, { input, key });
  const body = isRest ? restBody : input;
  calls.push({ kind: 'company', publicId, media: 'demo-media', key, isRest, body, reply: reply.body });
}
// By hand: the process died after the change, before it stored the answer.
const [unanswered] = calls;
const entry = (await db.collection('jobs').findOne({ publicId: unanswered.publicId })).pendingHistory.at(-1);
await db.collection('idempotency').updateOne({ _id: entry.call.key }, { $unset: { payload: '' } });
unanswered.isUnanswered = true;
// Its entry has moved to the history collection, by later versions of the job.
for (let round = 0; round < 40; round += 1)
  await send(unanswered.media, 'POST', `/jobs/${unanswered.publicId}`, {
    education_id: round % 2 ? 'master' : 'bachelor',
  });

// By hand: records that 1.0.0 wrote last, some with a history.
const former = ordinary.slice(85, 95);
const asBefore = { $unset: { changedAt: '', updatedAt: '', salaryRange: '' } };
await db.collection('jobs').updateMany({ publicId: { $in: former } }, asBefore);
await db.collection('companies').updateOne({ publicId: 'company-foreign-other' }, asBefore);

// A follower.
// A list of changes leaves out the last 5 s.
await sleep(6_000);
const follow = async (of, after) => {
  const changes = [];
  for (let cursor = after; ;) {
    const { body } = await send(
      of,
      'GET',
      `/changes?media-public-id=${of}&first=50${cursor ? `&after=${cursor}` : ''}`,
    );
    changes.push(...body.data);
    if (!body.more) return { changes, after: body.after };
    cursor = body.after;
  }
};
const cursors = {};
for (const of of media) cursors[of] = (await follow(of)).after;
for (const publicId of ordinary.slice(100, 110))
  await send(mediaOf(publicId), 'POST', `/jobs/${publicId}`, { salary: '60 000 €' });

// Moves, a rename, an erasure.
const leaving = companies.find(({ public_id }) => public_id === 'multi-leaving');
importLines([
  { kind: 'company', public_id: 'multi-leaving', memberships: leaving.memberships.slice(0, 1) },
  { kind: 'company', public_id: 'multi-second', brand: 'second-group' },
  { kind: 'company', public_id: 'company-own-other', name: 'Renamed Company' },
  { kind: 'job', public_id: 'job-111', media_public_id: 'other-media', company_public_id: 'multi' },
  { kind: 'job', public_id: 'job-114', company_public_id: 'multi' },
  { kind: 'job', public_id: 'job-117', name: 'Renamed Job' },
]);
run('erase', ['manager-120@mail.example']);
// A list of changes leaves out the last 5 s.
await sleep(6_000);
const followed = {};
for (const of of media) {
  const { changes } = await follow(of, cursors[of]);
  followed[of] = { after: cursors[of], changes };
}

gateway.kill('SIGTERM');
await once(gateway, 'exit');
// By hand: an import that was killed before it wrote the departure of a company.
await db.collection('departures').deleteMany({ publicId: 'multi-leaving', media: 'third-media' });
await db
  .collection('companies')
  .updateOne({ publicId: 'multi-leaving' }, { $set: { unsettledMedia: ['third-media'] } });

const exported = run('export', ['--with-history']);
const lines = [{ dumpedAt: new Date(), calls, followed, former }];
for (const { name } of await db.listCollections({ type: 'collection' }).toArray()) {
  if (name === 'quotas') continue;
  const indexes = await db.collection(name).indexes();
  lines.push({ collection: name, indexes });
  for await (const each of db.collection(name).find().sort({ _id: 1 })) lines.push({ document: each });
}
await connection.close();
await rm(folder, { recursive: true });
const write = (name, text) => writeFile(new URL(name, import.meta.url), gzipSync(text, { level: 9 }));
await write('dump.jsonl.gz', lines.map((line) => EJSON.stringify(line)).join('\n'));
await write('export.jsonl.gz', exported);
process.stdout.write(`${lines.length} lines\n`);

// Measures `npm run import`: imports JOBS jobs of COMPANIES companies into a new database at MONGODB_URI, then the same file again,
// which changes nothing. Drops the database. With folders of other builds as arguments, measures their imports in turn with this one's, in
// ROUNDS rounds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { createConnection } from 'mongoose';
import { databaseServer, processorMs } from './processor-time.mjs';

const builds = [join(import.meta.dirname, '../..'), ...process.argv.slice(2)];
const rounds = Number(process.env.ROUNDS ?? 1);
const jobs = Number(process.env.JOBS ?? 1_000_000);
const companies = Number(process.env.COMPANIES ?? 10_000);
const [, server, query = ''] =
  /^(mongodb:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(process.env.MONGODB_URI ?? '') ?? [];
if (!server) throw new Error('set MONGODB_URI to the MongoDB to measure on');
const uri = `${server}/bench_import_${process.pid}${query}`;

const paragraph = (subject, index) =>
  `<p>${subject} number ${index} wants somebody who likes to <strong>build and run</strong> services with a team of nine.</p>` +
  '<ul><li>You design them with the people who use them.</li><li>You keep them fast &amp; safe.</li></ul>';

function* lines() {
  yield {
    kind: 'media',
    public_id: 'bench',
    name: 'Bench',
    job_url_template: 'https://bench.example/{company}/{job}',
  };
  yield { kind: 'reference', type: 'contract', public_id: 'permanent', name: { en: 'Permanent', fr: 'CDI' } };
  for (let index = 0; index < companies; index += 1)
    yield {
      kind: 'company',
      public_id: `company-${index}`,
      name: `Company ${index}`,
      domain_url: `company-${index}.example`,
      description: paragraph('Company', index),
      memberships: [{ media_public_id: 'bench', is_published: true }],
    };
  for (let index = 0; index < jobs; index += 1)
    yield {
      kind: 'job',
      public_id: `job-${index}`,
      media_public_id: 'bench',
      company_public_id: `company-${index % companies}`,
      name: `Job ${index}`,
      state: 'published',
      contract_id: 'permanent',
      salary: `${30 + (index % 50)} 000 €`,
      localisation: ['Lyon, Rhône', 'Paris', 'Nantes, France', 'Berlin, Germany'][index % 4],
      description_company: paragraph('Company', index % companies),
      description_job: paragraph('Job', index),
      description_profile: paragraph('Profile', index),
      application_method: 'external_apply',
      application_url: `https://apply.example/${index}`,
      recruiter_emails: [`recruiter-${index % 1_000}@bench.example`],
    };
}

async function write(path) {
  const file = createWriteStream(path);
  let text = '';
  for (const line of lines()) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < 1_000_000) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

const database = databaseServer(server);

async function run(build, path) {
  const startedMs = performance.now();
  const databaseBeforeMs = database.processorMs();
  const child = spawn(process.execPath, [join(build, 'dist/cli/import.js'), path], {
    env: { ...process.env, MONGODB_URI: uri },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  let peakKib = 0;
  let ownMs = 0;
  const watch = setInterval(() => {
    try {
      ownMs = processorMs(child.pid);
      peakKib = Number(
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peakKib,
      );
    } catch {
      // The process has ended, or this system has no /proc.
    }
  }, 200);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  const seconds = (performance.now() - startedMs) / 1_000;
  const databaseSeconds = (database.processorMs() - databaseBeforeMs) / 1_000;
  const peakMib = Math.round(peakKib / 1_024);
  return { code, seconds, ownSeconds: ownMs / 1_000, databaseSeconds, peakMib, output: output.trim() };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
const connection = await createConnection(uri).asPromise();
try {
  const path = join(folder, 'records.jsonl');
  await write(path);
  for (let round = 0; round < rounds; round += 1)
    for (const build of builds) {
      for (const name of ['first', 'again']) {
        const { code, seconds, ownSeconds, databaseSeconds, peakMib, output } = await run(build, path);
        const linesPerSecond = Math.round((jobs + companies) / seconds);
        console.log(
          `${build} ${name}: ${seconds.toFixed(1)} s, ${linesPerSecond} lines/s, processor ${ownSeconds.toFixed(1)} s, database ${databaseSeconds.toFixed(1)} s, peak ${peakMib} MiB, exit ${code}: ${output.split('\n').at(-1)}`,
        );
      }
      await connection.dropDatabase();
    }
} finally {
  await connection.dropDatabase();
  await connection.close();
  await rm(folder, { recursive: true, force: true });
}

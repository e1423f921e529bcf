import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readAccounts } from '../reliability/support/ledger.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { installPackedClient, type PackedClient } from '../support/packed-client.js';
import { root } from '../support/process.js';
import { letSettle, settle } from '../support/settle.js';
import { until } from '../support/until.js';

const folder = join(root, 'schema/examples/clients');
/** The 21 job updates of a nightly run take at least two windows, unless an update takes half a second. */
const gateway = ownGateway({ UPDATE_JOB_QUOTA: '11/5s' });

/** Parses a file independently of the clients. */
const rows = (file: string): Record<string, string>[] => {
  const [names = [], ...lines] = readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';'));
  return lines.map((line) => Object.fromEntries(names.map((name, column) => [name, line[column] ?? ''])));
};
const jobs = rows('jobs.csv');
const companies = rows('companies.csv');

/** The first command that passes the probe: a Python may lack the module. */
const runs = (commands: readonly string[], ...probe: string[]): string | undefined =>
  commands.find((command) => {
    try {
      execFileSync(command, probe, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });

const python = runs(['python3', '/usr/bin/python3'], '-c', 'import requests');
const clients = [
  { file: 'nightly.php', needs: 'PHP with curl', command: runs(['php'], '-r', 'curl_version();') },
  { file: 'nightly.py', needs: 'Python with requests', command: python },
  { file: 'Nightly.java', needs: 'Java 17', command: runs(['java'], '--source', '17', '--version') },
];

describe.each(clients)('$file, which needs $needs,', ({ file, needs, command }) => {
  const itRuns = command ? it : it.skip;
  const run = async (token: string) =>
    promisify(execFile)(command ?? '', [file], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        GATEWAY_URL: gateway.url,
        TOKEN: token,
        // Halves the time to compile and run a program once.
        JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
      },
    });
  const stored = async () => ({
    companies: await gateway.models.companies.find().sort({ _id: 1 }).lean(),
    jobs: (await readAccounts(gateway.models, { publicId: /^nightly-/ })).sort((one, other) =>
      one.job.publicId < other.job.publicId ? -1 : 1,
    ),
  });

  beforeEach(async () => {
    await gateway.reset();
    // The first four columns create the jobs, as in the README of the examples.
    const file = readFileSync(join(folder, 'jobs.csv'), 'utf8').replace(
      /^((?:[^;\n]*;){3}[^;\n]*).*$/gm,
      '$1',
    );
    const { importFiles } = commandsOn(gateway.settings.mongodbUri ?? '');
    expect(await importFiles(['--kind', 'job', '-'], file)).toMatchObject({ code: 0 });
  });

  if (!command) process.stderr.write(`Skipped: there is no ${needs}: ${file}\n`);
  itRuns(
    'sends all records, waits for its quota, archives and reads a job; a second run changes nothing, a refused run fails (Contract 4.4.2, 6.2.1, 8.1.2)',
    async () => {
      const token = await gateway.token({ sub: file });
      const { stdout } = await run(token);
      expect(stdout).toMatch(/^2 companies and 20 jobs sent, nightly-20 archived, waited [1-9] times\n$/);

      const after = await stored();
      expect(after.jobs.map(({ job }) => job.publicId)).toEqual(jobs.map(({ public_id: id }) => id));
      after.jobs.forEach(({ job, entries }, index) => {
        const { salary, localisation } = jobs[index]!;
        const isLast = index === jobs.length - 1;
        expect(job).toMatchObject({ salary, localisation, state: isLast ? 'archived' : 'published' });
        expect(entries.map(({ actor }) => actor)).toEqual(isLast ? [file, file] : [file]);
      });
      for (const { company_public_id: publicId, description } of companies)
        expect(after.companies.find((company) => company.publicId === publicId)).toMatchObject({
          description,
          version: 2,
        });

      const isRefused = expect(run(await gateway.token({ scope: 'r_jobs' }))).rejects.toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringContaining('unauthorized-limitation'),
      });
      await Promise.all([run(token), isRefused]);
      expect(await stored()).toEqual(after);
    },
  );
});

describe('the follower', () => {
  const media = 'demo-media';
  let client: PackedClient;
  beforeAll(async () => {
    client = await installPackedClient();
    await writeFile(join(client.folder, 'follow.mjs'), await client.bundle(join(folder, 'follow.ts')));
    await gateway.reset();
    await settle(gateway);
  });
  afterAll(() => client.remove());

  const followers = [
    { file: 'follow.py', command: python, argument: () => join(folder, 'follow.py') },
    { file: 'follow.ts', command: process.execPath, argument: () => join(client.folder, 'follow.mjs') },
  ];
  const store = () => commandsOn(gateway.settings.mongodbUri ?? '');

  /** The versions of the media’s records according to an export. */
  async function exported(): Promise<Record<string, number>> {
    const { stdout } = await store().exportAll('--media', media, '--kind', 'company', '--kind', 'job');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const companies = lines.filter(({ memberships = [] }) =>
      memberships.some((each) => each.media_public_id === media),
    );
    // When a company leaves the media, its jobs leave too.
    const jobs = lines.filter((line) => companies.some(({ public_id: id }) => id === line.company_public_id));
    const versions = [...companies, ...jobs].map(async ({ kind, public_id: publicId }) => {
      const { companies: ofCompanies, jobs: ofJobs } = gateway.models;
      const found =
        kind === 'job'
          ? await ofJobs.findOne({ publicId }).orFail().lean()
          : await ofCompanies.findOne({ publicId }).orFail().lean();
      return [`${kind} ${publicId}`, found.version] as const;
    });
    return Object.fromEntries(await Promise.all(versions));
  }

  it.each(followers.map((each) => [each.file, each] as const))(
    '%s, killed at random, ends with exactly the exported records and versions (Contract 4.6.1, 4.6.3)',
    async (file, { command, argument }) => {
      if (!command) return void process.stderr.write(`Skipped: there is no Python with requests: ${file}\n`);
      const cwd = join(client.folder, `copy-of-${file}`);
      mkdirSync(cwd);
      const env = {
        PATH: process.env.PATH,
        GATEWAY_URL: gateway.url,
        MEDIA: media,
        TOKEN: await gateway.token({ sub: file }),
      };
      const follow = async (isEnough: () => Promise<unknown>) => {
        // Restart the follower: it exits if a record leaves the media unread.
        let isOver = false;
        let child: ReturnType<typeof spawn> | undefined;
        const running = (async () => {
          while (!isOver) {
            child = spawn(command, [argument()], { cwd, env, stdio: 'ignore' });
            await once(child, 'exit');
          }
        })();
        await isEnough().finally(() => {
          isOver = true;
          child?.kill('SIGKILL');
        });
        await running;
      };
      const copied = (): Record<string, number> => {
        if (!existsSync(join(cwd, 'copy.json'))) return {};
        const { records } = JSON.parse(readFileSync(join(cwd, 'copy.json'), 'utf8')) as Copy;
        return Object.fromEntries(Object.entries(records).map(([name, { version }]) => [name, version]));
      };
      const change = async (...lines: object[]) => {
        expect(await store().importFiles(['-'], linesOf(lines))).toMatchObject({ code: 0 });
        await letSettle(gateway);
      };
      const isSame = async () => {
        const expected = await exported();
        expect(Object.keys(expected).length).toBeGreaterThan(0);
        await until(() => JSON.stringify(sorted(copied())) === JSON.stringify(sorted(expected)));
      };

      await follow(isSame);
      const company = { kind: 'company', public_id: 'acme' };
      const { memberships } = await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean();
      const asLines = memberships.map(({ media: id, isPublished, isVmePagePublished }) => ({
        media_public_id: id,
        is_published: isPublished,
        is_vme_page_published: isVmePagePublished,
      }));
      const job = (publicId: string, rest: object) => ({ kind: 'job', public_id: publicId, ...rest });
      const steps: object[][] = [
        [{ ...company, memberships: [] }, job('globex-accountant', { salary: file })],
        [{ ...company, memberships: asLines }, job('acme-data-analyst', { salary: file })],
        [
          {
            kind: 'media',
            public_id: file,
            name: file,
            job_url_template: 'https://other.example/{company}/{job}',
          },
          job(file === 'follow.py' ? 'acme-office-manager' : 'acme-night-guard', { media_public_id: file }),
        ],
        [job('acme-backend-engineer', { salary: file })],
      ];
      for (const lines of steps) {
        await change(...lines);
        await follow(() => sleep(Math.random() * 900));
      }
      await follow(isSame);
    },
  );
});

const sorted = (versions: Record<string, number>) =>
  Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1));

interface Line {
  kind: string;
  public_id: string;
  company_public_id?: string;
  memberships?: { media_public_id: string }[];
}

interface Copy {
  records: Record<string, { version: number }>;
}

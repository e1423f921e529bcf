import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readAccounts } from '../reliability/support/ledger.js';
import { commandsOn } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';

const folder = join(root, 'schema/examples/clients');
/** Two windows at least for the 21 updates of a night, and for none of them so short that a slow machine needs more. */
const gateway = ownGateway({ UPDATE_JOB_QUOTA: '11/2s' });

/** The rows of a file by the names of its header, read apart from what the clients read. */
const rows = (file: string): Record<string, string>[] => {
  const [names = [], ...lines] = readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';'));
  return lines.map((line) => Object.fromEntries(names.map((name, column) => [name, line[column] ?? ''])));
};
const jobs = rows('jobs.csv');
const companies = rows('companies.csv');

/** The first of the commands that runs the probe: what a client needs may be there for one Python and not for another. */
const runs = (commands: readonly string[], ...probe: string[]): string | undefined =>
  commands.find((command) => {
    try {
      execFileSync(command, probe, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });

const clients = [
  { file: 'nightly.php', needs: 'PHP with curl', command: runs(['php'], '-r', 'curl_version();') },
  {
    file: 'nightly.py',
    needs: 'Python with requests',
    command: runs(['python3', '/usr/bin/python3'], '-c', 'import requests'),
  },
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
        // Half the time of a compiler that runs once.
        JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
      },
    });
  /** Everything that the run could have changed. */
  const stored = async () => ({
    companies: await gateway.models.companies.find().sort({ _id: 1 }).lean(),
    jobs: (await readAccounts(gateway.models, { publicId: /^nightly-/ })).sort((one, other) =>
      one.job.publicId < other.job.publicId ? -1 : 1,
    ),
  });

  beforeEach(async () => {
    await gateway.reset();
    // What the README beside the examples has them made with.
    const file = readFileSync(join(folder, 'jobs.csv'), 'utf8').replace(
      /^((?:[^;\n]*;){3}[^;\n]*).*$/gm,
      '$1',
    );
    const { importFiles } = commandsOn(gateway.settings.mongodbUri ?? '');
    expect(await importFiles(['--kind', 'job', '-'], file)).toMatchObject({ code: 0 });
  });

  if (!command) process.stderr.write(`Skipped, for there is no ${needs}: ${file}\n`);
  itRuns(
    'sends 20 jobs and 2 companies, waits for its quota, archives, sees it, repeats in vain, and fails where it is refused (Contract 4.5.8, 8.2.4, 9.3.1)',
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

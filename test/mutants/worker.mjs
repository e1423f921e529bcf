import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCLI } from 'jest';

// Runs test files in order until one fails, in a copy of the project with a mutant.
const [folder] = process.argv.slice(2);
process.chdir(folder);
globalThis.onFirstFailure = () => process.send({ isFailed: true });

process.on('disconnect', () => process.exit());
process.on('message', async ({ tests, path, text, original }) => {
  if (path) writeFileSync(join(folder, path), text);
  let isFailed = false;
  for (const test of tests) {
    process.send({ test });
    isFailed = await fails(test);
    if (isFailed) break;
  }
  if (path) writeFileSync(join(folder, path), original);
  process.send({ isFailed, isDone: true });
});

async function fails(test) {
  const { results } = await runCLI(
    {
      $0: '',
      _: [test],
      runTestsByPath: true,
      runInBand: true,
      silent: true,
      testTimeout: 60_000,
      reporters: [join(folder, 'test/mutants/reporter.mjs')],
    },
    [folder],
  );
  return !results.success;
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerOf } from './compiler.mjs';
import { mutantsOf, withMutant } from './mutators.mjs';
import { Stage } from './stage.mjs';
import { isTarget, testsOf } from './targets.mjs';

const root = fileURLToPath(new globalThis.URL('../..', import.meta.url));
const most = Number(process.env.MUTANTS_MOST ?? Infinity);
const seed = process.env.SEED ?? String(Date.now());
const workers = Number(process.env.MUTANTS_WORKERS ?? 1);
const leastKilled = 0.9;

const read = (path) => readFileSync(join(root, path), 'utf8');
const digestOf = (...parts) => createHash('sha256').update(parts.join('\0')).digest('base64url');
const oneLine = (text) => text.replace(/\s+/g, ' ');

const resultsPath = join(root, 'coverage/mutants.json');
const killed = new Set(existsSync(resultsPath) ? JSON.parse(readFileSync(resultsPath, 'utf8')) : []);
const listed = JSON.parse(read('test/mutants/survivors.json'));
const isNamedBy =
  (entry) =>
  ({ path, lineText, was, becomes }) =>
    entry.path === path &&
    entry.line === lineText &&
    entry.was === oneLine(was) &&
    entry.becomes === oneLine(becomes);
const isListed = (mutant) => listed.some((entry) => isNamedBy(entry)(mutant));

const asked = process.argv.slice(2);
const isAsked = (path) => asked.length === 0 || asked.some((each) => path.startsWith(each));
const mutants = readdirSync(join(root, 'src'), { recursive: true })
  .map((name) => `src/${name}`)
  .filter((path) => isTarget(path) && isAsked(path))
  .sort()
  .flatMap((path) => {
    const source = read(path);
    const known = digestOf(source);
    const lines = source.split('\n');
    return mutantsOf(source).map((mutant) => ({
      path,
      ...mutant,
      lineText: lines[mutant.line - 1].trim(),
      id: digestOf(path, known, mutant.start, mutant.end, mutant.becomes),
    }));
  });
const drawn = [...mutants]
  .sort((one, other) => (digestOf(seed, one.id) < digestOf(seed, other.id) ? -1 : 1))
  .slice(0, most)
  .sort((one, other) => mutants.indexOf(one) - mutants.indexOf(other));
console.log(`${drawn.length} of ${mutants.length} mutants, SEED=${seed}`);

const isRefused = compilerOf(root);
const waiting = drawn.filter((mutant) => !killed.has(mutant.id) && !isListed(mutant));
const stages = Array.from({ length: workers }, () => new Stage(root));
/** Test files that pass without a mutant. */
const proved = new Set();

async function isKilled(mutant, stage) {
  const test = await stage.firstToFail(testsOf(mutant.path), mutant);
  if (test === null) return isRefused(mutant.path, withMutant(read(mutant.path), mutant));
  if (!proved.has(test) && (await stage.firstToFail([test])))
    throw new Error(`${test} fails without a mutant`);
  proved.add(test);
  return true;
}

await Promise.all(
  stages.map(async (stage) => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      if (await isKilled(mutant, stage)) killed.add(mutant.id);
      else {
        const { path, line, was, becomes } = mutant;
        console.log(`SURVIVED ${path}:${line}\n  - ${oneLine(was)}\n  + ${oneLine(becomes)}`);
      }
      mkdirSync(join(root, 'coverage'), { recursive: true });
      writeFileSync(resultsPath, JSON.stringify([...killed]));
    }
  }),
);
for (const stage of stages) stage.close();

for (const path of new Set(drawn.map((mutant) => mutant.path))) {
  const own = drawn.filter((mutant) => mutant.path === path);
  console.log(
    `${String(own.filter(({ id }) => killed.has(id)).length).padStart(4)} of ${own.length} killed  ${path}`,
  );
}
const survivors = drawn.filter(({ id }) => !killed.has(id));
const share = 1 - survivors.length / drawn.length;
const unlisted = survivors.filter((mutant) => !isListed(mutant)).length;
console.log(
  `${(100 * share).toFixed(1)} % killed; ${survivors.length} survived, ${unlisted} of them not in survivors.json`,
);
const outdated = listed.filter((entry) => isAsked(entry.path) && !mutants.some(isNamedBy(entry)));
for (const { path, line } of outdated)
  console.log(`survivors.json lists a mutant of ${path} that no longer exists: ${line}`);
process.exitCode = share < leastKilled || unlisted + outdated.length > 0 ? 1 : 0;

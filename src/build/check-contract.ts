import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';
import { readFileSync } from 'node:fs';
import { endWith } from '../cli/command.js';

/** The version of the last release. */
export const lastVersion = (changeLog: string): string =>
  /^## (\d+\.\d+\.\d+) /m.exec(changeLog)?.[1] ?? '0.0.0';

const majorOf = (version: string): number => Number(version.split('.')[0]);

/** Changes that graphql-js calls dangerous, but that affect only clients that use the new part. */
const harmless: readonly string[] = [
  DangerousChangeType.OPTIONAL_ARG_ADDED,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
];

/**
 * The faults of the GraphQL schema that forbid a release, one line per fault. `test/contract/released.test.ts` finds what breaks clients of
 * REST.
 */
export function contractFaults(
  released: string,
  present: string,
  { version, changeLog }: { version: string; changeLog: string },
): string[] {
  const last = lastVersion(changeLog);
  const [before, after] = [buildSchema(released), buildSchema(present)];
  const breaking = findBreakingChanges(before, after).map(({ description }) => description);
  const isMajor = majorOf(version) > majorOf(last);
  const news = newsSince(last, changeLog);
  const surprising = findDangerousChanges(before, after)
    .filter(({ type }) => !harmless.includes(type))
    .map(({ description }) => description);
  const unnamed = [...surprising, ...(isMajor ? breaking : [])].flatMap((description) => {
    const name = coordinateIn(description);
    const fault = `schema.graphql: ${description} — say so in CHANGELOG.md, where ${name} is not named`;
    return news.includes(name) ? [] : [fault];
  });
  if (isMajor) return unnamed;
  const broken = breaking.map(
    (what) => `schema.graphql: ${what} — it breaks clients of ${last}, and needs a new major version`,
  );
  return [...broken, ...unnamed];
}

/** The schema coordinate that graphql-js describes a change of, such as `Query.jobs(state:)`. */
export const coordinateIn = (description: string): string => {
  const [, place = '', argument] = /^(\S+)(?: arg (\S+))?/.exec(description) ?? [];
  return argument === undefined ? place : `${place}(${argument}:)`;
};

/** The change log above the heading of a version; all of it if there is no such heading. */
export const newsSince = (version: string, changeLog: string): string =>
  (changeLog.split(`\n## ${version} `)[0] ?? '').replace(/^(# .*|## Unreleased)$/gm, '');

/** {@link contractFaults} since the last release. */
export function faultsSinceRelease(root: URL, version: string): string[] {
  const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const [released, present] = [read('schema/released/schema.graphql'), read('schema/schema.graphql')];
  return contractFaults(released, present, { version, changeLog: read('CHANGELOG.md') });
}

await endWith(import.meta, async () => {
  const root = new URL('../../', import.meta.url);
  const text = readFileSync(new URL('package.json', root), 'utf8');
  const faults = faultsSinceRelease(root, (JSON.parse(text) as { version: string }).version);
  return { stdout: '', stderr: faults.join('\n'), exitCode: Number(faults.length > 0) };
});

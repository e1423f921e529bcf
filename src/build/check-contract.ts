import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';
import { readFileSync } from 'node:fs';
import { endWith } from '../cli/command.js';
import { openApiBreaks } from './openapi-breaks.js';

type ContractFiles = ReturnType<typeof readContract>;

export const readContract = (root: URL, folder: 'schema/' | 'schema/released/') => {
  const read = (file: string): string => readFileSync(new URL(folder + file, root), 'utf8');
  return { schema: read('schema.graphql'), openApi: read('openapi.json') };
};

export const versionOf = (openApi: string): string =>
  (JSON.parse(openApi) as { info: { version: string } }).info.version;

const majorOf = (version: string): number => Number(version.split('.')[0]);

/** Changes that graphql-js calls dangerous, but that affect only clients that use the new part. */
const harmless: readonly string[] = [
  DangerousChangeType.OPTIONAL_ARG_ADDED,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
];

/** The faults that forbid a release, one line per fault (Contract 11.12). */
export function contractFaults(
  released: ContractFiles,
  present: ContractFiles,
  { version, changeLog }: { version: string; changeLog: string },
): string[] {
  const last = versionOf(released.openApi);
  const [before, after] = [buildSchema(released.schema), buildSchema(present.schema)];
  const breaking = findBreakingChanges(before, after);
  const broken = [
    ...breaking.map(({ description }) => `schema.graphql: ${description}`),
    ...openApiBreaks(
      JSON.parse(released.openApi) as Record<string, unknown>,
      JSON.parse(present.openApi) as Record<string, unknown>,
    ).map((what) => `openapi.json: ${what}`),
  ];
  const isMajor = majorOf(version) > majorOf(last);
  const news = newsSince(last, changeLog);
  const dangerous = findDangerousChanges(before, after).filter(({ type }) => !harmless.includes(type));
  const unnamed = [...dangerous, ...(isMajor ? breaking : [])].flatMap(({ description }) => {
    const name = coordinateIn(description);
    const fault = `schema.graphql: ${description} — say so in CHANGELOG.md, where ${name} is not named`;
    return news.includes(name) ? [] : [fault];
  });
  if (!isMajor)
    return [
      ...broken.map((what) => `${what} — it breaks clients of ${last}, and needs a new major version`),
      ...unnamed,
    ];
  const isSilent = broken.length > 0 && news.trim() === '';
  return isSilent ? [...unnamed, `CHANGELOG.md: mentions no change since ${last}`] : unnamed;
}

/** The schema coordinate that graphql-js describes a change of, such as `Query.jobs(state:)`. */
export const coordinateIn = (description: string): string => {
  const [, place = '', argument] = /^(\S+)(?: arg (\S+))?/.exec(description) ?? [];
  return argument === undefined ? place : `${place}(${argument}:)`;
};

/** The change log above the heading of a version; all of it if there is no such heading. */
export const newsSince = (version: string, changeLog: string): string =>
  (changeLog.split(`\n## ${version} `)[0] ?? '').replace(/^(# .*|## Unreleased)$/gm, '');

await endWith(import.meta, async () => {
  const root = new URL('../../', import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const released = readContract(root, 'schema/released/');
  const faults = contractFaults(released, readContract(root, 'schema/'), {
    version,
    changeLog: read('CHANGELOG.md'),
  });
  return { stdout: '', stderr: faults.join('\n'), exitCode: Number(faults.length > 0) };
});

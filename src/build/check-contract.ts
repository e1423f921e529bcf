import {
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { endWith } from '../cli/command.js';
import { settingsTable } from '../settings/settings-table.js';

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

/** The names that callers and operators use, besides those in the schema. */
interface Names {
  /** Such as `GET /jobs`. */
  paths: string[];
  settings: string[];
}

export function namesOf(root: URL): Names {
  const { paths } = JSON.parse(readFileSync(new URL('schema/openapi.json', root), 'utf8')) as {
    paths: Record<string, object>;
  };
  return {
    paths: Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
    settings: Object.values(settingsTable).map(({ variable }) => variable),
  };
}

/** The new fields and arguments of types that the last release had. A new type needs no check: the field that leads to it is new too. */
const additionsTo = (before: GraphQLSchema, after: GraphQLSchema): string[] =>
  Object.values(after.getTypeMap()).flatMap((type) => {
    const old = before.getType(type.name);
    if (!old || !('getFields' in type) || !('getFields' in old)) return [];
    const known: Readonly<Record<string, Member>> = old.getFields();
    return Object.values(type.getFields()).flatMap(({ name, args = [] }: Member) => {
      const had = known[name];
      if (!had) return [`${type.name}.${name}`];
      const added = args.filter((arg) => !had.args?.some((other) => other.name === arg.name));
      return added.map((arg) => `${type.name}.${name}(${arg.name}:)`);
    });
  });

interface Member {
  name: string;
  args?: readonly { name: string }[];
}

/** One line for each name that the last release lacks, and that the changelog does not have as code. */
export function unnamedIn(
  changeLog: string,
  released: Names & { schema: string },
  present: Names & { schema: string },
): string[] {
  const news = newsSince(lastVersion(changeLog), changeLog);
  const code = [...news.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const added = [
    ...additionsTo(buildSchema(released.schema), buildSchema(present.schema)),
    ...present.settings.filter((name) => !released.settings.includes(name)),
    ...present.paths.filter((name) => !released.paths.includes(name)),
  ];
  return added.flatMap((name) => {
    const [own] = name.includes(' ') ? [name] : (/\w+(?=:?\)?$)/.exec(name) as [string]);
    const isNamed = code.some((text) => text.split('?')[0] === own || text.split(/\W+/).includes(own));
    return isNamed ? [] : [`${name} is new: name it in CHANGELOG.md, as \`${own}\``];
  });
}

/** The schema coordinate that graphql-js describes a change of, such as `Query.jobs(state:)`. */
export const coordinateIn = (description: string): string => {
  const [, place = '', argument] = /^(\S+)(?: arg (\S+))?/.exec(description) ?? [];
  return argument === undefined ? place : `${place}(${argument}:)`;
};

/** The change log above the heading of a version; all of it if there is no such heading. */
export const newsSince = (version: string, changeLog: string): string =>
  (changeLog.split(`\n## ${version} `)[0] ?? '').replace(/^(# .*|## Unreleased)$/gm, '');

/** {@link contractFaults} and {@link unnamedIn} since the last release. */
export function faultsSinceRelease(root: URL, version: string): string[] {
  const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const [released, present] = [read('schema/released/schema.graphql'), read('schema/schema.graphql')];
  const names = JSON.parse(read('schema/released/names.json')) as Names;
  const changeLog = read('CHANGELOG.md');
  return [
    ...contractFaults(released, present, { version, changeLog }),
    ...unnamedIn(changeLog, { schema: released, ...names }, { schema: present, ...namesOf(root) }),
  ];
}

await endWith(import.meta, async () => {
  const root = new URL('../../', import.meta.url);
  const text = readFileSync(new URL('package.json', root), 'utf8');
  const faults = faultsSinceRelease(root, (JSON.parse(text) as { version: string }).version);
  return { stdout: '', stderr: faults.join('\n'), exitCode: Number(faults.length > 0) };
});

import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';

/** Differences of two contracts that their callers may meet. */
interface Differences {
  /** What breaks a client: it needs a new major version. */
  breaking: string[];
  /** What may surprise one, each with the name that the change log has to say. */
  dangerous: { name: string; what: string }[];
}

/** Only callers who use these ever meet them. */
const harmless: readonly string[] = [
  DangerousChangeType.OPTIONAL_ARG_ADDED,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
];

/** What has changed for a client from one SDL to another. */
export function schemaDifferences(before: string, after: string): Differences {
  const [old, young] = [buildSchema(before), buildSchema(after)];
  return {
    breaking: findBreakingChanges(old, young).map(({ description }) => description),
    dangerous: findDangerousChanges(old, young)
      .filter(({ type }) => !harmless.includes(type))
      .map(({ description }) => ({ name: description.split(' ')[0] ?? '', what: description })),
  };
}

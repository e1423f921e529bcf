import { readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';

/** The examples that the pages open with, for the demo data. */
export type Examples = ReturnType<typeof readExamples>;

const folder = new URL('../../schema/examples/', import.meta.url);

/**
 * Returns the whole document with all variables, and each operation with its own variables and the comment above it.
 * @throws Error if a file is missing or does not parse
 */
export function readExamples() {
  const document = readFileSync(new URL('sandbox.graphql', folder), 'utf8');
  const text = readFileSync(new URL('sandbox.variables.json', folder), 'utf8');
  const variables = JSON.parse(text) as Record<string, unknown>;
  const definitions = parse(document).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return {
    document,
    variables,
    operations: definitions.map(({ name, loc, variableDefinitions = [] }) => ({
      name: name?.value ?? '',
      document: `${commentAtEndOf(document.slice(0, loc?.start))}${document.slice(loc?.start, loc?.end)}\n`,
      variables: Object.fromEntries(
        variableDefinitions
          .map(({ variable }) => variable.name.value)
          .filter((name) => name in variables)
          .map((name) => [name, variables[name]]),
      ),
    })),
  };
}

const commentAtEndOf = (before: string): string => /(?:^|\n)((?:#.*\n)+)$/.exec(before)?.[1] ?? '';

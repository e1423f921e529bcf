import { InMemoryCache } from '@apollo/client';
import { preset as clientPreset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { type Types } from '@graphql-codegen/plugin-helpers';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, type DocumentNode, Kind, parse, print } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { parse as readYaml } from 'yaml';
import { operationFile } from '../rest/run-operation.js';
import { documentedFields } from '../operations.js';

const operationsFolder = 'schema/operations/';
const clientFolder = 'schema/client/';
const typesFile = 'src/graphql/generated/operations.ts';

/** What `codegen.yml` says of one output. */
type Output = Required<Pick<Types.ConfiguredOutput, 'config' | 'presetConfig'>>;

/**
 * What GraphQL Code Generator makes of the schema and the named operations, by file: types for the REST adapter and the suite,
 * typed documents for a front-end, and these by their hash, as TRUSTED_DOCUMENTS takes them.
 */
export async function printTypedOperations(root: URL, sdl: string): Promise<Record<string, string>> {
  const { generates } = readYaml(readFileSync(new URL('codegen.yml', root), 'utf8')) as {
    generates: Record<typeof clientFolder | typeof typesFile, Output>;
  };
  const schema = parse(sdl);
  const operations = readOperations(root);
  const run = documentedFields.map(operationFile);
  const common = { schema, schemaAst: buildASTSchema(schema), plugins: [], pluginMap: {} };
  const { [clientFolder]: client, [typesFile]: types } = generates;
  const ofClient = await clientPreset.buildGeneratesSection({
    ...common,
    baseOutputDir: clientFolder,
    documents: withFragmentsOnce(operations.map(asCached)),
    presetConfig: client.presetConfig,
    config: client.config,
  });
  const ofRest: Types.GenerateOptions = {
    ...common,
    filename: typesFile,
    documents: withFragmentsOnce(operations.filter(({ location }) => run.includes(location))),
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
    config: types.config,
  };
  const texts = Object.fromEntries(
    await Promise.all(
      [...ofClient, ofRest].map(async (options) => [options.filename, await codegen(options)] as const),
    ),
  );
  const text = (file: string): string => texts[file] ?? '';
  return {
    [typesFile]: text(typesFile),
    [`${clientFolder}src/documents.ts`]: text(`${clientFolder}graphql.ts`),
    [`${clientFolder}trusted-documents.json`]: `${text(`${clientFolder}persisted-documents.json`)}\n`,
  };
}

interface Operation {
  location: string;
  document: DocumentNode;
}

const readOperations = (root: URL): Operation[] =>
  readdirSync(new URL(operationsFolder, root))
    .sort()
    .map((name) => ({
      location: operationsFolder + name,
      document: parse(readFileSync(new URL(operationsFolder + name, root), 'utf8')),
    }));

const cache = new InMemoryCache();

/** An operation as Apollo Client's cache sends it, which adds `__typename`: any other text has another hash. */
const asCached = ({ location, document }: Operation): Operation => ({
  location,
  document: cache.transformDocument(document),
});

/** A fragment that several files have is taken from the first. @throws Error when two files have different ones of one name */
function withFragmentsOnce(operations: readonly Operation[]): Types.DocumentFile[] {
  const fragments = new Map<string, string>();
  return operations.map(({ location, document }) => {
    const definitions = document.definitions.filter((definition) => {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return true;
      const { value: name } = definition.name;
      const known = fragments.get(name);
      fragments.set(name, print(definition));
      if (known !== undefined && known !== fragments.get(name))
        throw new Error(`${location} has another fragment ${name} than the files before it`);
      return known === undefined;
    });
    const own = { ...document, definitions };
    return { location, document: own, rawSDL: print(own) };
  });
}

import { preset as clientPreset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { type Types } from '@graphql-codegen/plugin-helpers';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, parse, print } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';

const operationsFolder = 'schema/operations/';

/**
 * What GraphQL Code Generator makes of the schema and the named operations, by file: the types that the REST adapter
 * and the suite use, and the typed documents that a front-end imports.
 * @param sdl the schema, as text.
 */
export async function printTypedOperations(root: URL, sdl: string): Promise<Record<string, string>> {
  const schema = parse(sdl);
  const documents: Types.DocumentFile[] = readdirSync(new URL(operationsFolder, root))
    .sort()
    .map((name) => {
      const document = parse(readFileSync(new URL(operationsFolder + name, root), 'utf8'));
      return { location: operationsFolder + name, document, rawSDL: print(document) };
    });
  const common = { schema, schemaAst: buildASTSchema(schema), plugins: [], pluginMap: {} };
  const ofClient = await clientPreset.buildGeneratesSection({
    ...common,
    baseOutputDir: 'schema/client/',
    documents,
    presetConfig: { fragmentMasking: false },
    config: {
      avoidOptionals: { field: true },
      importExtension: '.js',
      useTypeImports: true,
      strictScalars: true,
      scalars: { DateTimeISO: 'string', JSON: 'unknown', Upload: 'Blob' },
    },
  });
  const ofUpdates: Types.GenerateOptions = {
    ...common,
    filename: 'src/graphql/generated/operations.ts',
    documents: documents.filter(({ location }) => location?.startsWith(`${operationsFolder}update-`)),
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
    config: {
      avoidOptionals: { field: true },
      enumsAsTypes: true,
      useTypeImports: true,
      skipTypename: true,
      scalars: { DateTimeISO: 'string', Upload: 'Promise<unknown>' },
    },
  };
  const files = [...ofClient, ofUpdates].map(async (options) => [options.filename, await codegen(options)]);
  return Object.fromEntries(await Promise.all(files)) as Record<string, string>;
}

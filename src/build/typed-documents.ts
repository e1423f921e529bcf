import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, lexicographicSortSchema, parse } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';

type Options = Parameters<typeof preset.buildGeneratesSection>[0];
type Transform = NonNullable<Options['documentTransforms']>[number]['transformObject'];

interface Configuration {
  schema: string;
  generates: Record<
    string,
    Pick<Options, 'config' | 'presetConfig'> & { documents: string; documentTransforms: string[] }
  >;
}

/** The files that GraphQL Code Generator makes of `codegen.yml`, without its command, which needs 140 packages more. */
export async function typedDocuments(root: URL): Promise<Record<string, string>> {
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
  const { schema: file, generates } = parseYaml(read('codegen.yml')) as Configuration;
  const schemaAst = lexicographicSortSchema(buildSchema(read(file)));
  const outputs = Object.entries(generates).map(
    async ([baseOutputDir, { documents, documentTransforms, ...given }]) => {
      const [folder = '', suffix = ''] = documents.split('*');
      const files = readdirSync(new URL(folder, root)).filter((name) => name.endsWith(suffix));
      const transforms = documentTransforms.map(async (name) => ({
        name,
        transformObject: (await import(new URL(name, root).href)) as Transform,
      }));
      return preset.buildGeneratesSection({
        ...given,
        ...{ baseOutputDir, plugins: [], pluginMap: {}, schema: parse(read(file)), schemaAst },
        documents: files
          .sort()
          .map((name) => ({ location: folder + name, rawSDL: read(folder + name) }))
          .map((source) => ({ ...source, document: parse(source.rawSDL) })),
        documentTransforms: await Promise.all(transforms),
      });
    },
  );
  const written = (await Promise.all(outputs))
    .flat()
    // A function that finds a document by its text: nothing here needs it.
    .filter(({ filename }) => !filename.endsWith('/gql.ts'))
    .map(async (section) => [section.filename, await codegen({ ...section, schemaAst })] as const);
  return Object.fromEntries(await Promise.all(written));
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, isNonNullType, Kind, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultsOf } from '../support/front-end-types.js';
import { installPackedClient, type PackedClient } from '../support/packed-client.js';
import { root } from '../support/process.js';
import { sha256 } from '../support/trusted.js';

let client: PackedClient;
beforeAll(async () => {
  client = await installPackedClient();
});
afterAll(async () => {
  await client.remove();
});

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

describe('the packed client', () => {
  it('contains code with its sources and maps, recipes, hashes, a licence and a README', () => {
    const others = client.files.filter(
      (file) =>
        !/^dist\/([a-z-]+|documents\/graphql)\.(js|d\.ts)(\.map)?$/.test(file) &&
        !/^src\/([a-z-]+|documents\/graphql)\.ts$/.test(file) &&
        !/^recipes\/[\w/.-]+\.(tsx?|json)$/.test(file),
    );
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
      'schema.graphql',
      'trusted-documents.json',
    ]);
    for (const entry of ['index', 'apollo', 'forms', 'react', 'react-hook-form', 'codegen'])
      expect(client.files).toEqual(
        expect.arrayContaining([
          `dist/${entry}.js`,
          `dist/${entry}.d.ts`,
          `dist/${entry}.js.map`,
          `src/${entry}.ts`,
        ]),
      );
  });

  it('begins its entries with hooks, and no other file, as client components of React', async () => {
    const code = client.files.filter((file) => file.endsWith('.js'));
    const texts = code.map(async (file) => [file, await readFile(join(client.installed, file), 'utf8')]);
    const begun = (await Promise.all(texts)).filter(([, text]) => /^['"]use client['"];/.test(text ?? ''));
    expect(begun.map(([file]) => file).sort()).toEqual(['dist/react-hook-form.js', 'dist/react.js']);
  });

  it('has source maps that lead to its sources', async () => {
    const map = (await readJson(join(client.installed, 'dist/edit.js.map'))) as { sources: string[] };
    expect(map.sources).toEqual(['../src/edit.ts']);
  });

  it('has the name and the version of the gateway', async () => {
    const own = await readJson(join(client.installed, 'package.json'));
    const { name, version } = (await readJson(join(root, 'package.json'))) as Record<string, string>;
    expect(own).toMatchObject({ name: `${name}-client`, version });
  });

  it('needs Apollo Client only for the entry point apollo', async () => {
    for (const [entry, isNeeded] of [
      ['index', false],
      ['apollo', true],
    ] as const) {
      const file = join(client.folder, `only-${entry}.ts`);
      await writeFile(file, `export * from '${join(client.installed, 'dist', entry)}.js';`);
      expect((await client.bundle(file)).includes('node_modules/@apollo/client')).toBe(isNeeded);
    }
  });

  it('contains the schema (Contract 1.4)', async () => {
    const [packed, emitted] = await Promise.all(
      [join(client.installed, 'schema.graphql'), join(root, 'schema/schema.graphql')].map((file) =>
        readFile(file, 'utf8'),
      ),
    );
    expect(packed === emitted).toBe(true);
  });

  it('names each document by the hash of its text', async () => {
    const documents = (await readJson(join(client.installed, 'trusted-documents.json'))) as Record<
      string,
      string
    >;
    for (const [hash, text] of Object.entries(documents)) expect(hash).toBe(`sha256:${sha256(text)}`);
  });

  it('does not accept null for a variable if the gateway always refuses null there (Contract 7.3.2)', async () => {
    const schema = buildSchema(await readFile(join(root, 'schema/schema.graphql'), 'utf8'));
    const folder = join(root, 'schema/operations');
    for (const file of await readdir(folder)) {
      const document = parse(await readFile(join(folder, file), 'utf8'));
      const nullable = new Set<string>();
      const types = new TypeInfo(schema);
      visit(
        document,
        visitWithTypeInfo(types, {
          VariableDefinition: ({ variable, type }) => {
            if (type.kind !== Kind.NON_NULL_TYPE) nullable.add(variable.name.value);
            return false;
          },
          Variable: ({ name: { value } }) => {
            if (nullable.has(value))
              expect([file, value, isNonNullType(types.getInputType())]).toEqual([file, value, false]);
          },
        }),
      );
    }
  });

  it('gives updated and read records the same TypeScript type', async () => {
    const file = join(client.folder, 'assignable.ts');
    await writeFile(
      file,
      `import type { Company, CompanyQuery, Job, JobFormQuery, JobQuery, Reference, ReferencesQuery, UpdateCompanyMutation, UpdateJobMutation } from 'recruitment-gateway-client';
type Saved = NonNullable<UpdateJobMutation['updateJob']>['job'];
type Read = NonNullable<JobQuery['job']>;
type SavedCompany = NonNullable<UpdateCompanyMutation['updateCompany']>['company'];
type ReadCompany = NonNullable<CompanyQuery['company']>;
export const there = (saved: Saved): Read => saved;
type Edited = NonNullable<JobFormQuery['job']>;
export const edited = (saved: Saved): Edited => saved;
export const named = (read: Read): Job => read;
export const company = (saved: SavedCompany): ReadCompany => saved;
export const companyBack = (read: ReadCompany): SavedCompany => read;
export const namedCompany = (read: ReadCompany): Company => read;
export const references = (listed: NonNullable<ReferencesQuery['references']>): Reference[] => listed;
export const ofJob = (job: Job): (Reference | null)[] => [job.contract, job.jobCategory];
export const shown = ({ state, expiresAt }: Job): string => state + (expiresAt ?? '');
// @ts-expect-error a state that no job has
export const lost: Job['state'] = 'lost';
`,
    );
    expect(faultsOf([file])).toEqual([]);
  });
});

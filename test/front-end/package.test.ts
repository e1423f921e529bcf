import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema, isNonNullType, Kind, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { faultsOf } from '../support/front-end-types.js';
import { ownGateway } from '../support/own-gateway.js';
import { installPackedClient, type PackedClient } from '../support/packed-client.js';
import { root } from '../support/process.js';
import { smallPng } from '../company/logo/test-images.js';
import { graphql } from '../support/requests.js';
import { type FrontEnd, type FrontEndOptions } from './front-end.js';
import { sha256 } from '../support/trusted.js';
import { ofCompany as acme, ofJob as engineer } from '../support/updates.js';

let client: PackedClient;
beforeAll(async () => {
  client = await installPackedClient();
});
afterAll(async () => {
  await client.remove();
});

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

describe('the packed client', () => {
  it('contains only code, types, hashes, a licence and a README', () => {
    const others = client.files.filter(
      (file) => !/^dist\/([a-z-]+|documents\/graphql)\.(js|d\.ts)$/.test(file),
    );
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
      'schema.graphql',
      'trusted-documents.json',
    ]);
    for (const entry of ['index', 'apollo'])
      expect(client.files).toEqual(expect.arrayContaining([`dist/${entry}.js`, `dist/${entry}.d.ts`]));
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

  it('contains the schema (Contract 11.14)', async () => {
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

  it('does not accept null for a variable if the gateway always refuses null there (Contract 7.2.4)', async () => {
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

describe('in Node.js', () => {
  const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/2s', LOGO_MAX_SIZE: '8KiB' });
  let signIns: number;
  let frontEnds: { FrontEnd: new (options: FrontEndOptions) => FrontEnd };
  beforeAll(async () => {
    frontEnds = (await client.load(
      fileURLToPath(new URL('front-end.ts', import.meta.url)),
    )) as typeof frontEnds;
  });
  beforeEach(async () => {
    await gateway.reset();
    signIns = 0;
  });

  /** The sign-ins return these tokens in order, and then the last token again. */
  const openWith = (...tokens: string[]): FrontEnd =>
    new frontEnds.FrontEnd({
      url: `${gateway.url}/graphql`,
      signIn: async () => tokens[Math.min(signIns++, tokens.length - 1)] ?? '',
    });
  const open = async (): Promise<FrontEnd> => openWith(await gateway.token());

  describe('a front-end in Node.js', () => {
    it('reads a job and saves it at the version it read (Contract 9.1.3)', async () => {
      const frontEnd = await open();
      const job = await frontEnd.readJob(engineer.jobPublicId);
      expect([job?.name, job?.version]).toEqual(['Backend Engineer', 1]);
      const outcome = await frontEnd.saveJob({ ...engineer, salary: '55 000 €' }, 1);
      expect(outcome).toMatchObject({
        kind: 'saved',
        saved: { salary: '55 000 €', version: 2 },
      });
    });

    it('sends a logo with the typed mutation (Contract 4.1.7.8)', async () => {
      const logo = new Blob([new Uint8Array(smallPng)], { type: 'image/png' });
      const outcome = await (await open()).saveCompany({ ...acme, logo });
      const url = outcome.kind === 'saved' ? outcome.saved.content.visual.logo : null;
      expect(url).toMatch(/\/logos\/[0-9a-f]{64}$/);
      const served = await fetch(url ?? '');
      expect([served.status, (await served.blob()).type]).toEqual([200, 'image/png']);
    });

    it("shows the gateway's message for a logo that is too large (Contract 4.1.7.3)", async () => {
      const logo = new Blob([new Uint8Array(10_000)]);
      expect(await (await open()).saveCompany({ ...acme, logo })).toEqual({
        kind: 'refused',
        message: 'The request or its answer is too large: logo must have at most 8 KiB.',
      });
    });

    it('signs in again if its token has expired, and retries once (Contract 7.2.2)', async () => {
      const frontEnd = openWith('ended', await gateway.token());
      expect(await frontEnd.saveJob({ ...engineer, salary: '1' }, 1)).toMatchObject({ kind: 'saved' });
      expect(signIns).toBe(2);
    });

    it('asks its user to sign in if a new token does not help', async () => {
      expect(await openWith('ended', 'ended too').saveJob(engineer, 1)).toEqual({
        kind: 'refused',
        message: 'Please sign in again.',
      });
      expect(signIns).toBe(2);
    });

    it('does not sign in again if the token does not allow the call (Contract 7.2.2)', async () => {
      const frontEnd = openWith(await gateway.token({ scope: 'r_jobs' }));
      expect(await frontEnd.saveJob(engineer, 1)).toEqual({
        kind: 'refused',
        message: 'You may not do this.',
      });
      expect(signIns).toBe(1);
    });

    it('says, after a 409, what to do (Contract 4.1.5.6)', async () => {
      expect(await (await open()).saveCompany({ mediaPublicId: 'demo-media', name: 'Initech' })).toEqual({
        kind: 'refused',
        message: 'This company already exists. Please contact support to have it added.',
      });
    });

    it('shows the stored values after a 412 (Contract 9.1.3)', async () => {
      const frontEnd = await open();
      const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
      const token = await gateway.token({ sub: 'another' });
      await graphql(gateway, mutation, { input: { ...engineer, salary: '50 000 €' } }, { token });
      expect(await frontEnd.saveJob({ ...engineer, salary: '55 000 €' }, 1)).toMatchObject({
        kind: 'changed',
        current: { salary: '50 000 €', version: 2 },
        changedFields: ['salary'],
      });
    });

    it('shows each fault of a 422 beside its field (Contract 7.3.1)', async () => {
      const input = { ...engineer, salary: 'x'.repeat(31), contractId: 'forever' };
      expect(await (await open()).saveJob(input, 1)).toEqual({
        kind: 'invalid',
        faults: {
          contractId: 'This choice does not exist.',
          salary: 'Enter at most 30 characters.',
        },
      });
    });

    it('waits after a 429 as long as the gateway says, then saves (Contract 8.2.4)', async () => {
      const frontEnd = await open();
      const startMs = performance.now();
      const outcomes = await Promise.all([1, 2, 3].map(() => frontEnd.saveJob(engineer, 1)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['saved', 'saved', 'saved']);
      expect(performance.now() - startMs).toBeGreaterThan(950);
    });
  });

  describe('the typed client', () => {
    it('compiles without a cast', () => {
      const folder = new URL('./', import.meta.url);
      const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /^[^.]+\.ts$/.test(file),
      );
      expect(sources.length).toBeGreaterThan(1);
      for (const file of sources) {
        const text = readFileSync(new URL(file, folder), 'utf8');
        expect(castsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))).toEqual([]);
      }
    });

    it('rejects states and fields that the schema does not have', async () => {
      const frontEnd = await open();
      // @ts-expect-error a state that no job has
      const outcome = await frontEnd.saveJob({ ...engineer, state: 'lost' }, 1).catch(() => null);
      expect(outcome).not.toMatchObject({ kind: 'saved' });
      // @ts-expect-error a field that no input has
      const other = await frontEnd.saveCompany({ ...acme, colour: 'red' }).catch(() => null);
      expect(other).not.toMatchObject({ kind: 'saved' });
    });
  });

  function castsIn(node: ts.Node): string[] {
    const isCast =
      (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
      ts.isTypeAssertionExpression(node) ||
      ts.isNonNullExpression(node) ||
      node.kind === ts.SyntaxKind.AnyKeyword;
    const own = isCast ? [node.getText()] : [];
    return [...own, ...node.getChildren().flatMap(castsIn)];
  }
});

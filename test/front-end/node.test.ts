import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { plain } from '../company/logo/test-images.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { installPackedClient, type PackedClient } from '../support/packed-client.js';
import { type FrontEnd, type FrontEndOptions } from './front-end.js';

const engineer = {
  mediaPublicId: 'demo-media',
  companyPublicId: 'acme',
  jobPublicId: 'acme-backend-engineer',
};
const acme = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };

const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/2s', LOGO_MAX_SIZE: '8KiB' });
let signIns: number;
let client: PackedClient;
let frontEnds: { FrontEnd: new (options: FrontEndOptions) => FrontEnd };
beforeAll(async () => {
  client = await installPackedClient();
  frontEnds = (await client.load(
    fileURLToPath(new URL('front-end.ts', import.meta.url)),
  )) as typeof frontEnds;
});
afterAll(() => client.remove());
beforeEach(async () => {
  await gateway.reset();
  signIns = 0;
});

/** A front-end whose sign-ins give these tokens, one after the other, and the last one ever after. */
const openWith = (...tokens: string[]): FrontEnd =>
  new frontEnds.FrontEnd({
    url: `${gateway.url}/graphql`,
    signIn: async () => tokens[Math.min(signIns++, tokens.length - 1)] ?? '',
  });
const open = async (): Promise<FrontEnd> => openWith(await gateway.token());

describe('a front-end in Node', () => {
  it('reads a job and saves it at the version that it read (Contract 9.1.3)', async () => {
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
    const logo = new Blob([new Uint8Array(await plain(8, 8).png().toBuffer())], { type: 'image/png' });
    const outcome = await (await open()).saveCompany({ ...acme, logo });
    const url = outcome.kind === 'saved' ? outcome.saved.content.visual.logo : null;
    expect(url).toMatch(/\/logos\/[0-9a-f]{64}$/);
    const served = await fetch(url ?? '');
    expect([served.status, (await served.blob()).type]).toEqual([200, 'image/png']);
  });

  it('says of a logo that is too large what the gateway says (Contract 4.1.7.3)', async () => {
    const logo = new Blob([new Uint8Array(10_000)]);
    expect(await (await open()).saveCompany({ ...acme, logo })).toEqual({
      kind: 'refused',
      message: 'The request or its answer is too large: logo must have at most 8192 bytes.',
    });
  });

  it('signs in again on 401 for a token that has ended, and tries once more (Contract 7.2.2)', async () => {
    const frontEnd = openWith('ended', await gateway.token());
    expect(await frontEnd.saveJob({ ...engineer, salary: '1' }, 1)).toMatchObject({ kind: 'saved' });
    expect(signIns).toBe(2);
  });

  it('asks its user to sign in when that does not help, and tries no more', async () => {
    expect(await openWith('ended', 'ended too').saveJob(engineer, 1)).toEqual({
      kind: 'refused',
      message: 'Please sign in again.',
    });
    expect(signIns).toBe(2);
  });

  it('does not sign in again on 401 for what the token does not allow (Contract 7.2.2)', async () => {
    const frontEnd = openWith(await gateway.token({ scope: 'r_jobs' }));
    expect(await frontEnd.saveJob(engineer, 1)).toEqual({ kind: 'refused', message: 'You may not do this.' });
    expect(signIns).toBe(1);
  });

  it('tells of 409 what to do about it (Contract 4.1.5.6)', async () => {
    expect(await (await open()).saveCompany({ mediaPublicId: 'demo-media', name: 'Initech' })).toEqual({
      kind: 'refused',
      message: 'This company already exists. Please contact support to have it added.',
    });
  });

  it('shows on 412 what is stored now (Contract 9.1.3)', async () => {
    const frontEnd = await open();
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const token = await gateway.token({ sub: 'another' });
    await graphql(gateway, mutation, { input: { ...engineer, salary: '50 000 €' } }, { token });
    expect(await frontEnd.saveJob({ ...engineer, salary: '55 000 €' }, 1)).toMatchObject({
      kind: 'changed',
      current: { salary: '50 000 €', version: 2 },
      message: expect.stringContaining('salary'),
    });
  });

  it('writes on 422 each fault beside its field (Contract 7.3.1)', async () => {
    const input = { ...engineer, salary: 'x'.repeat(31), contractId: 'forever' };
    expect(await (await open()).saveJob(input, 1)).toEqual({
      kind: 'invalid',
      faults: {
        contractId: 'contract_id names no known record.',
        salary: 'salary must have at most 30 characters.',
      },
    });
  });

  it('waits on 429 as long as it is told, and then saves (Contract 8.2.4)', async () => {
    const frontEnd = await open();
    const startMs = performance.now();
    const outcomes = await Promise.all([1, 2, 3].map(() => frontEnd.saveJob(engineer, 1)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['saved', 'saved', 'saved']);
    expect(performance.now() - startMs).toBeGreaterThan(950);
  });
});

describe('the typed client', () => {
  it('is used without a cast', () => {
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

  it('has no room for what the schema does not have', async () => {
    const frontEnd = await open();
    // @ts-expect-error a state that no job has
    const outcome = await frontEnd.saveJob({ ...engineer, state: 'lost' }, 1).catch(() => null);
    expect(outcome).not.toMatchObject({ kind: 'saved' });
    // @ts-expect-error a field that no input has
    const other = await frontEnd.saveCompany({ ...acme, colour: 'red' }).catch(() => null);
    expect(other).not.toMatchObject({ kind: 'saved' });
  });
});

/** Where a source tells the compiler what it would not find by itself. */
function castsIn(node: ts.Node): string[] {
  const isCast =
    (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isNonNullExpression(node) ||
    node.kind === ts.SyntaxKind.AnyKeyword;
  const own = isCast ? [node.getText()] : [];
  return [...own, ...node.getChildren().flatMap(castsIn)];
}

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Types } from 'mongoose';
import { catalogue, type ErrorCode, errorCodes } from '../../src/errors/catalogue.js';
import { type Connection } from '../../schema/examples/call-gateway.js';
import { listJobs } from '../../schema/examples/list-jobs.js';
import { publishJob } from '../../schema/examples/publish-job.js';
import { ownGateway } from '../support/own-gateway.js';
import { assertNoFailure, isWriting } from '../support/stored-answers.js';
import {
  type HttpAnswer,
  printAnswer,
  printJson,
  readAnswer,
  readRequests,
  sendAll,
} from './examples/http-message.js';
import { exampleRunner } from './examples/occasions.js';
import { filledIn, withPlaceholders } from './examples/placeholders.js';

const schema = new URL('../../schema/', import.meta.url);
const folder = new URL('examples/', schema);
const read = (file: string, base = folder): string => readFileSync(new URL(file, base), 'utf8');
const readJson = (file: string, base = folder): unknown => JSON.parse(read(file, base));

/** Paths without the extension, such as `errors/not-found`. */
const examples = (kind: '.graphql' | '.http'): string[] =>
  ['operations', 'errors'].flatMap((room) =>
    readdirSync(new URL(`${room}/`, folder))
      .filter((file) => file.endsWith(kind) && !file.endsWith(`.answer${kind}`))
      .map((file) => `${room}/${file.slice(0, -kind.length)}`),
  );
const graphqlExamples = examples('.graphql');
const httpExamples = examples('.http');

/** Errors before an operation is known: only HTTP can show them. */
const codesOfTransport: readonly ErrorCode[] = [
  'body-format-error',
  'method-not-allowed',
  'content-type-not-supported',
  'payload-too-large',
  'not-found',
];

// The default quotas with a longer window, for slow machines.
const gateway = ownGateway({
  UPDATE_JOB_QUOTA: '2/60s',
  MUTATION_QUOTA: '5/60s',
  READ_QUOTA: '50/60s',
  // Its first run could archive a demo job between a reset and an answer, which would then be listed later.
  ARCHIVER: 'off',
});

const on = exampleRunner(gateway);

async function sendDocument(
  example: string,
  { url, token }: { url: string; token: string },
): Promise<unknown> {
  const query = read(`${example}.graphql`);
  const file = `${example}.variables.json`;
  const given = existsSync(new URL(file, folder)) ? Object.entries(readJson(file) as object) : [];
  const requests = operationsOf(parse(query)).map(({ name, variableDefinitions = [] }) => {
    const declared = variableDefinitions.map(({ variable }) => variable.name.value);
    const variables = Object.fromEntries(given.filter(([key]) => declared.includes(key)));
    return {
      method: 'POST',
      url: `${url}/graphql`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ query, operationName: name?.value, variables })),
    };
  });
  return (await sendAll(requests)).body;
}

const operationsOf = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

const rootFields = (document: string): string[] =>
  operationsOf(parse(document)).flatMap(({ selectionSet }) =>
    selectionSet.selections.flatMap((selection) =>
      selection.kind === Kind.FIELD ? [selection.name.value] : [],
    ),
  );

const requestsOf = (example: string, place = { url: '', token: '' }) =>
  readRequests(new URL(`${example}.http`, folder), { gateway: place.url, token: place.token });

/** Whether the file is still to be written. */
const isNew = (file: string): boolean => isWriting && !existsSync(new URL(file, folder));

/** Compares an answer with its file, or writes the file if it differs. Only examples of errors may show a failure of the gateway. */
async function check<Answer>(
  file: string,
  { written, answer, print }: { written: Answer; answer: Answer; print: (answer: Answer) => string },
): Promise<void> {
  const expected = filledIn(written, answer);
  const [, code] = /^errors\/([\w-]+)/.exec(file) ?? [];
  if (!(catalogue[code as ErrorCode]?.status >= 500)) assertNoFailure(file, answer);
  if (!isWriting || isDeepStrictEqual(answer, expected)) return expect(answer).toEqual(expected);
  writeFileSync(new URL(file, folder), print(withPlaceholders(written, answer) as Answer));
}

describe('schema/examples', () => {
  it.each(graphqlExamples)('%s.graphql gets the answer beside it (Contract 7.2.1)', (example) =>
    on(example, async (place) => {
      const file = `${example}.answer.json`;
      const answer = await sendDocument(example, place);
      await check(file, { written: isNew(file) ? {} : readJson(file), answer, print: printJson });
    }),
  );

  it.each(httpExamples)('%s.http gets the answer beside it (Contract 7.2.1)', (example) =>
    on(example, async (place) => {
      const file = `${example}.answer.http`;
      const reply = await sendAll(requestsOf(example, place));
      const written = isNew(file) ? { ...reply, headers: {}, body: {} } : readAnswer(new URL(file, folder));
      const shown = Object.keys(isNew(file) ? reply.headers : written.headers);
      const headers = Object.fromEntries(shown.map((name) => [name, reply.headers[name]!]));
      const answer: HttpAnswer = { ...reply, headers };
      await check(file, { written, answer, print: (each) => printAnswer(new URL(file, folder), each) });
    }),
  );

  const operations = readdirSync(new URL('operations/', schema)).map((file) =>
    file.replace(/\.graphql$/, ''),
  );

  it.each(operations)('show the operation %s as GraphQL and as HTTP', (operation) => {
    expect(graphqlExamples).toContain(`operations/${operation}`);
    expect(httpExamples).toContain(`operations/${operation}`);
  });

  it('cover every query and mutation with named operations', () => {
    const sdl = read('schema.graphql', schema);
    const fields = parse(sdl).definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && ['Query', 'Mutation'].includes(definition.name.value)
        ? (definition.fields ?? []).map(({ name }) => name.value)
        : [],
    );
    const named = operations.flatMap((operation) =>
      rootFields(read(`operations/${operation}.graphql`, schema)),
    );
    expect(new Set(named)).toEqual(new Set(fields));
  });

  it('cover every documented path and method of REST', () => {
    const { paths } = readJson('openapi.json', schema) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const sent = httpExamples.flatMap((example) => requestsOf(example));
    const absent = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { security }]) => security && security.length > 0)
          .map(([method]) => ({ path, method: method.toUpperCase() })),
      )
      .filter(({ path, method }) => {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`);
        return !sent.some((request) => request.method === method && pattern.test(request.url));
      });
    expect(absent).toEqual([]);
  });

  it.each(errorCodes)('have an answer with the error %s (Contract 7.2.1)', (code) => {
    const { body } = readAnswer(new URL(`errors/${code}.answer.http`, folder));
    expect(body).toMatchObject({ error: code });
    if (codesOfTransport.includes(code)) return;
    expect(readJson(`errors/${code}.answer.json`)).toMatchObject({
      errors: [{ extensions: { error: code } }],
    });
  });

  it('give each operation and each fragment a name of its own, so that a code generator takes the folder', () => {
    const files = ['sandbox', ...graphqlExamples].map((example) => read(`${example}.graphql`));
    const names = files.flatMap((file) =>
      parse(file).definitions.flatMap((definition) =>
        'name' in definition ? (definition.name?.value ?? '') : [],
      ),
    );
    expect(names.length).toBeGreaterThan(files.length);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('have no answer without a request', () => {
    const answers = ['operations', 'errors'].flatMap((room) =>
      readdirSync(new URL(`${room}/`, folder))
        .filter((file) => /\.answer\.(json|http)$/.test(file))
        .map((file) => `${room}/${file}`),
    );
    const expected = [
      ...graphqlExamples.map((example) => `${example}.answer.json`),
      ...httpExamples.map((example) => `${example}.answer.http`),
    ];
    expect(answers.sort()).toEqual(expected.sort());
  });
});

const draft = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-office-manager' };

describe('the example code for a front-end', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = { url: `${gateway.url}/graphql`, token: await gateway.token() };
  });
  beforeEach(() => gateway.reset());

  it('publishes a job', async () => {
    const page = 'https://demo-media.example/companies/acme/jobs/acme-office-manager';
    expect(await publishJob(connection, draft)).toBe(`Office manager (F/H) is at ${page}`);
    expect(await publishJob(connection, draft)).toBe('Office manager (F/H) is already published.');
  });

  it('explains why a job is not published', async () => {
    const anonymous = { ...connection, token: 'none' };
    expect(await publishJob(anonymous, draft)).toBe('Please sign in again.');
    const reader = { ...connection, token: await gateway.token({ scope: 'r_jobs' }) };
    expect(await publishJob(reader, draft)).toBe('You may not do this.');
    const french: Connection = { ...connection, language: 'fr' };
    const ofGlobex = { ...draft, companyPublicId: 'globex', jobPublicId: 'globex-accountant' };
    expect(await publishJob(french, ofGlobex)).toBe(
      'L’entreprise n’est actuellement pas publiée dans ce média.',
    );
  });

  it('lists every job of a media, page by page', async () => {
    const source = await gateway.models.jobs.findOne({ publicId: draft.jobPublicId }).lean();
    const more = Array.from({ length: 51 }, (_, index) => ({
      ...source,
      _id: new Types.ObjectId(),
      publicId: `job-${index}`,
    }));
    await gateway.models.jobs.collection.insertMany(more);
    const publicIds: string[] = [];
    for await (const { publicId } of listJobs(connection, 'demo-media')) publicIds.push(publicId);
    expect(publicIds).toHaveLength(new Set(publicIds).size);
    expect(publicIds).toEqual(expect.arrayContaining(['acme-backend-engineer', 'job-0', 'job-50']));
  });

  it('rejects an answer not from a gateway', async () => {
    await expect(publishJob({ ...connection, url: `${gateway.url}/nowhere` }, draft)).rejects.toThrow(
      'answers 404 but not with a reply of a gateway',
    );
  });
});

import { readFileSync } from 'node:fs';
import { envelopes } from '../../src/rest/envelope.js';
import { catalogue } from '../../src/errors/catalogue.js';
import { snakeCase } from '../../src/errors/snake-case.js';
import { inputOfFields } from './input-name.js';
import { type Results } from '../../src/rest/prepare-operation.js';
import { type TestGateway } from './gateway.js';
import { graphql, type GraphQLBody, rest, type RestBody } from './requests.js';

/** Three body formats over REST, and GraphQL. Only companies accept multipart. */
export type Api = 'form' | 'json' | 'multipart' | 'graphql';

/** An update through any API, with documented field names such as `media_public_id`. */
export interface UpdateRequest {
  operation: 'updateJob' | 'updateCompany';
  fields: Record<string, unknown>;
  /** The pairs that a form sends, if they differ from the fields. */
  form?: readonly (readonly [string, string])[] | undefined;
  /** The job's public id, in the path. */
  job?: string | undefined;
  companyInQuery?: string | undefined;
  expectedVersion?: number | undefined;
  token?: string | undefined;
  headers?: Record<string, string>;
}

interface Told {
  field: string;
  code: string;
}

/** The reply, in the same shape for every API. */
export interface Answer {
  status: number;
  /** Null for a success. */
  code: string | null;
  message: string | null;
  /** For `validation-failed`, by their REST names. GraphQL words their messages otherwise (Contract 7.4.3, 7.4.4). */
  faults: Told[];
  warnings: (Told & { message: string })[];
  /** The record in the documented envelope. */
  shown: unknown;
  /** `extensions.code` over GraphQL. */
  graphqlCode?: string | undefined;
}

/** A form can express texts and non-empty lists of texts. */
const isSayable = (value: unknown): boolean =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string'));

export function canSend(api: Api, { fields, form }: UpdateRequest): boolean {
  return api === 'json' || api === 'graphql' || form !== undefined || Object.values(fields).every(isSayable);
}

export async function send(gateway: TestGateway, api: Api, request: UpdateRequest): Promise<Answer> {
  return api === 'graphql' ? sendGraphQL(gateway, request) : sendRest(gateway, api, request);
}

const documents = {
  updateJob: readFileSync(new URL('../../schema/operations/update-job.graphql', import.meta.url), 'utf8'),
  updateCompany: readFileSync(
    new URL('../../schema/operations/update-company.graphql', import.meta.url),
    'utf8',
  ),
};

async function sendRest(
  gateway: TestGateway,
  api: Exclude<Api, 'graphql'>,
  request: UpdateRequest,
): Promise<Answer> {
  const isJob = request.operation === 'updateJob';
  const query =
    request.companyInQuery === undefined
      ? ''
      : `?company-public-id=${encodeURIComponent(request.companyInQuery)}`;
  const path = isJob ? `/jobs/${encodeURIComponent(request.job ?? '')}` : `/companies${query}`;
  const { status, body } = await rest(gateway, isJob ? 'POST' : 'PATCH', path, bodyOf(api, request), {
    token: request.token,
    headers: {
      ...request.headers,
      ...(request.expectedVersion !== undefined && { 'if-match': `"${request.expectedVersion}"` }),
    },
  });
  return { ...told(body), status, shown: isJob ? body.data : body.company };
}

function bodyOf(api: Exclude<Api, 'graphql'>, { fields, form }: UpdateRequest) {
  if (api === 'json') return { json: fields };
  const pairs =
    form ??
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
  if (api === 'form') return { form: pairs.map(([name, value]): [string, string] => [name, value]) };
  const multipart = new FormData();
  for (const [name, value] of pairs) multipart.append(name, value);
  return { multipart };
}

const told = ({ error, errorMessage, errors = [], warnings = [] }: RestBody) => ({
  code: error ?? null,
  message: sharedMessage(error, errorMessage),
  faults: sorted(errors.map(({ field, code }) => ({ field, code }))),
  warnings: sorted(warnings),
});

async function sendGraphQL(gateway: TestGateway, request: UpdateRequest): Promise<Answer> {
  const { operation, fields, job, companyInQuery } = request;
  const input = {
    ...inputOfFields(fields),
    ...(operation === 'updateJob' && { jobPublicId: job ?? '' }),
    ...(companyInQuery !== undefined && { companyPublicId: companyInQuery }),
  };
  const { status, body } = await graphql(
    gateway,
    documents[operation],
    { input, expectedVersion: request.expectedVersion },
    request,
  );
  const [error] = body.errors ?? [];
  const payload = payloadOf(body, operation);
  return {
    status: error?.extensions.status ?? status,
    code: error?.extensions.error ?? null,
    message: sharedMessage(error?.extensions.error, error?.message),
    graphqlCode: error?.extensions.code,
    faults: sorted(
      (error?.extensions.error === 'validation-failed' ? (error.extensions.fields ?? []) : [])
        // Each faulty element of a list has an entry of its own.
        .filter(
          ({ path, code }, at, all) => !isElement(path) || all.findIndex((one) => one.code === code) === at,
        )
        .map(({ path: [, name = '', part], code }) => ({ field: documentedPart(name, part), code })),
    ),
    warnings: sorted(
      (payload?.warnings ?? []).map(({ field, code, message }) => ({
        code: code.replaceAll('_', '-'),
        field: snakeCase(field),
        message,
      })),
    ),
    shown: payload?.shown,
  };
}

function payloadOf({ data }: GraphQLBody, operation: UpdateRequest['operation']) {
  if (operation === 'updateJob') {
    const payload = data?.updateJob as Results['updateJob'] | null | undefined;
    return payload && { warnings: payload.warnings, shown: envelopes.updateJob(payload.job) };
  }
  const payload = data?.updateCompany as Results['updateCompany'] | null | undefined;
  return payload && { warnings: payload.warnings, shown: envelopes.updateCompany(payload.company) };
}

const isElement = (path: readonly string[]): boolean => /^\d+$/.test(path.at(-1) ?? '');

function documentedPart(name: string, part: string | undefined): string {
  if (name === 'sectorIds') return 'sector_id';
  return name === 'salaryRange' && part ? `salary_${part}` : snakeCase(name);
}

/**
 * Over REST, the message of a version conflict also lists the changed fields (Contract 6.1.2). Over GraphQL, the messages of a lack of
 * authority and of a taken name say more (Contract 7.3.3, 7.4.5).
 */
export function sharedMessage(error: string | undefined, message: string | undefined): string | null {
  if (error === 'version-conflict') return message?.split(': ')[0]?.replace(/\.?$/, '.') ?? null;
  if (error === 'unauthorized-limitation') return message?.split(/ ?: /)[0] ?? null;
  return (
    (message?.startsWith('Another company') ? catalogue['company-already-existed'].message.en : message) ??
    null
  );
}

const sorted = <Each extends Told>(all: readonly Each[]): Each[] =>
  [...all].sort((one, other) => (`${one.field} ${one.code}` < `${other.field} ${other.code}` ? -1 : 1));

import { assertDocumented } from './documented-reply.js';
import { type TestGateway } from './gateway.js';

export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RestBody {
  after?: string | null;
  status?: number;
  error?: string;
  errorMessage?: string;
  errors?: { field: string; code: string; message: string }[];
  warnings?: { code: string; field: string; message: string }[];
  company?: Record<string, unknown>;
  data?: Record<string, unknown>;
}

export interface GraphQLBody {
  data?: Record<string, unknown> | null;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions: {
      code: string;
      error?: string;
      status?: number;
      fields?: { path: string[]; code: string; reason: string; message: string }[];
      scope?: string;
      currentVersion?: number;
      changedFields?: string[];
      requestId?: string;
    };
  }[];
  extensions?: {
    rateLimit?: { limit: number; remaining: number; resetSeconds: number };
    cost?: { complexity: number; units: number };
  };
}

interface Options {
  token?: string | undefined;
  headers?: Record<string, string>;
}

const authorization = ({ token, headers }: Options): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...headers,
});

async function read<Body>(response: Response): Promise<Reply<Body>> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : null) as Body,
  };
}

/** @throws Error if the reply differs from `schema/openapi.json` */
export async function rest(
  { url }: Pick<TestGateway, 'url'>,
  method: string,
  path: string,
  body:
    | { form: Record<string, string> | [string, string][] }
    | { json: unknown }
    | { multipart: FormData }
    | undefined,
  options: Options = {},
): Promise<Reply<RestBody>> {
  const sent =
    body === undefined
      ? {}
      : 'form' in body
        ? { body: new URLSearchParams(body.form) }
        : 'multipart' in body
          ? { body: body.multipart }
          : { body: JSON.stringify(body.json), headers: { 'content-type': 'application/json' } };
  const reply = await read<RestBody>(
    await fetch(url + path, { method, ...sent, headers: { ...sent.headers, ...authorization(options) } }),
  );
  assertDocumented({ method, path }, reply);
  return reply;
}

export async function graphql(
  { url }: Pick<TestGateway, 'url'>,
  query: string,
  variables: Record<string, unknown> = {},
  options: Options = {},
): Promise<Reply<GraphQLBody>> {
  return read(
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization(options) },
      body: JSON.stringify({ query, variables }),
    }),
  );
}

import { inputOfFields } from '../../support/input-name.js';
import { names as ids, ofCompany, ofJob } from '../../support/updates.js';
import { type Sent } from './refusal.js';

export { ofCompany, ofJob };
export const json = 'application/json';
export const urlencoded = 'application/x-www-form-urlencoded';
export const mixed = 'multipart/form-data; boundary=x';

export const job = '/jobs/acme-backend-engineer';
export const company = '/companies';
export const updateJob = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }';
export const updateJobWith = (argument: string) => updateJob.replace('$input)', `$input, ${argument})`);
export const updateCompany =
  'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';

/** `POST`, but `PATCH` for a company. */
export const rest = (
  path: string,
  type?: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Sent => ({
  method: path.startsWith(company) ? 'PATCH' : 'POST',
  path,
  headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
  body,
});

export const at = (path: string): Sent => rest(path);
export const form = (fields: Record<string, string>) => new URLSearchParams({ ...ids, ...fields }).toString();

export const graphqlBody = (body: string | Buffer, type = json): Sent =>
  rest('/graphql', type, body, { 'apollo-require-preflight': 'yes' });

export const document = (query: string, variables: object = {}): Sent =>
  graphqlBody(JSON.stringify({ query, variables }));

export const get = (query: string, headers: Record<string, string> = {}): Sent => ({
  method: 'GET',
  path: `/graphql?query=${encodeURIComponent(query)}`,
  headers,
});

export const part = (disposition: string, text: string): string =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
export const operations = (text = '{"query":"{ __typename }"}') => part('name="operations"', text);
export const end = '--x--\r\n';
export const multipart = (body: string | Buffer): Sent => graphqlBody(body, mixed);
/** The operations and the map of an upload over GraphQL. */
export const upload =
  operations(JSON.stringify({ query: updateCompany, variables: { input: { ...ofCompany, logo: null } } })) +
  part('name="map"', '{"0":["variables.input.logo"]}');

/** A multipart body over REST, with a field or a logo of so many bytes. */
export const companyForm = (name: string, bytes: number): Sent => {
  const field = part(`name="${name}"${name === 'logo' ? '; filename="a.png"' : ''}`, 'x'.repeat(bytes));
  return rest(company, mixed, part('name="media_public_id"', 'demo-media') + field + end);
};

/** The same update over both APIs. */
export const jobUpdate = (fields: Record<string, string>, publicId = ofJob.jobPublicId): Sent[] => [
  rest(`/jobs/${publicId}`, urlencoded, form(fields)),
  document(updateJob, { input: { ...ofJob, jobPublicId: publicId, ...inputOfFields(fields) } }),
];
export const companyUpdate = (fields: Record<string, string>): Sent[] => [
  rest(company, urlencoded, form(fields)),
  document(updateCompany, { input: { ...ofCompany, ...inputOfFields(fields) } }),
];

export const csrf = `This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify a 'content-type' header (with a type that is not one of application/x-www-form-urlencoded, multipart/form-data, text/plain) or provide a non-empty value for one of the following headers: x-apollo-operation-name, apollo-require-preflight\n`;

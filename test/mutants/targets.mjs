import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const emitted = 'test/contract/emitted.test.ts';
/** Both updates over both APIs, in half a minute. */
const parity = 'test/contract/parity.test.ts';
const fields = ['test/fields/fields.rules.test.ts', 'test/fields/field-reader.rules.test.ts'];
const company = ['test/company/company-identity.rules.test.ts'];
const place = [
  'test/job/location/resolve-localisation.test.ts',
  'test/job/location/country.test.ts',
  'test/job/location/localisation-properties.test.ts',
];
const keys = [
  'test/tokens/keys.test.ts',
  'test/tokens/key-source.test.ts',
  'test/tokens/token-verifier.test.ts',
  'test/cli/key.test.ts',
  'test/tokens/key-endpoint.test.ts',
  'test/cli/token.test.ts',
  'test/tokens/token-cache.test.ts',
  'test/tokens/providers.test.ts',
  'test/cli/revoke.test.ts',
];
const quotas = [
  'test/quotas/quotas.test.ts',
  'test/quotas/quota-processes.test.ts',
  'test/quotas/quota-cost.test.ts',
  'test/contract/refusals.test.ts',
  'test/graphql/queries.test.ts',
  'test/graphql/nested-lists.test.ts',
  emitted,
];
const callers = [
  'test/tokens/authentication.test.ts',
  'test/graphql/queries.test.ts',
  'test/job/apis.test.ts',
  'test/idempotency/idempotency.service.test.ts',
];
const matrix = 'test/permissions/matrix.test.ts';
const history = [
  'test/history/entries.test.ts',
  'test/history/versioned-records.test.ts',
  'test/archiver/tasks.test.ts',
  'test/history/history.test.ts',
  'test/schedules/schedules.test.ts',
  'test/history/versions.test.ts',
  'test/graphql/projection.test.ts',
  'test/idempotency/evidence.test.ts',
  'test/fields/row.rules.test.ts',
  'test/graphql/damaged-lists.test.ts',
  'test/graphql/damaged-records.test.ts',
  'test/permissions/list-counts.test.ts',
  'test/company/cleared-fields.test.ts',
];

/** The test files for each path prefix, quick ones first. The first prefix that matches counts. */
export const targets = [
  ['src/company/', [...company, emitted, 'test/contract/resources.test.ts', parity]],
  ['src/text/allowed-html', ['test/text/allowed-html.rules.test.ts', 'test/text/html.rules.test.ts']],
  ['src/text/html', ['test/text/allowed-html.rules.test.ts', 'test/text/html.rules.test.ts', ...fields]],
  ['src/text/invisible', ['test/text/html.rules.test.ts', ...fields, ...company]],
  ['src/text/parse-url', ['test/text/parse-url.rules.test.ts', ...fields]],
  ['src/text/name-key', [...company, parity]],
  [
    'src/fields/instant',
    ['test/job/job-end.rules.test.ts', 'test/fields/field-reader.rules.test.ts', 'test/job/pay.test.ts'],
  ],
  [
    'src/fields/',
    [
      ...fields,
      ...company,
      'test/history/entries.test.ts',
      'test/history/history.test.ts',
      'test/job/pay.test.ts',
      'test/graphql/nodes.test.ts',
      'test/contract/resources.test.ts',
      emitted,
      parity,
    ],
  ],
  ['src/change/', ['test/change/changes.test.ts']],
  ['src/exchange/erase/', ['test/exchange/redact.rules.test.ts']],
  ['src/job/location/', place],
  ['src/media/', [emitted]],
  ['src/paging/', ['test/graphql/projection.test.ts']],
  [
    'src/job/',
    [
      'test/job/job-steps.rules.test.ts',
      'test/job/closing-date.test.ts',
      'test/job/posting.test.ts',
      emitted,
      parity,
    ],
  ],
  ['src/history/version', ['test/history/versions.test.ts', ...history]],
  ['src/history/history.graphql', [emitted, 'test/history/history.test.ts']],
  ['src/history/', history],
  [
    'src/idempotency/',
    [
      'test/idempotency/idempotency.service.test.ts',
      'test/idempotency/idempotency.test.ts',
      'test/idempotency/evidence.test.ts',
    ],
  ],
  [
    'src/rest/',
    ['test/rest/read-form.test.ts', 'test/rest/logo.test.ts', 'test/rest/transport-edges.test.ts', parity],
  ],
  [
    'src/quotas/failure-limiter',
    ['test/quotas/failure-limiter.test.ts', 'test/tokens/authentication.test.ts'],
  ],
  ['src/quotas/quotas', quotas],
  ['src/quotas/shared-limiter', quotas],
  ['src/cli/', keys],
  ['src/tokens/key', [...keys, 'test/graphql/production.test.ts', 'test/pages/pages.test.ts']],
  ['src/tokens/caller-name', ['test/log/request-line.test.ts']],
  ['src/tokens/caller', ['test/tokens/token-verifier.test.ts', ...callers, matrix]],
  ['src/permissions/reach', [...callers, matrix]],
  [
    'src/permissions/permissions',
    [
      'test/tokens/authentication.test.ts',
      'test/rest/reads.test.ts',
      'test/rest/transport-edges.test.ts',
      ...callers,
      ...quotas,
      matrix,
    ],
  ],
  ['src/tokens/token', [...keys, ...callers, matrix]],
  ['src/tokens/developer-token', ['test/pages/pages.test.ts', ...callers, matrix]],
  [
    'src/tokens/providers',
    [
      'test/tokens/providers-file.test.ts',
      'test/tokens/providers.test.ts',
      'test/http/resource-metadata.test.ts',
    ],
  ],
  [
    'src/permissions/admission',
    ['test/graphql/reply-size.test.ts', 'test/graphql/bounds.test.ts', ...callers, ...quotas, matrix],
  ],
  ['src/permissions/request-context', ['test/http/language.test.ts', ...callers, ...quotas, matrix]],
  ['src/tokens/revocations', ['test/cli/revoke.test.ts']],
  ['src/permissions/root-field', ['test/graphql/queries.test.ts', parity]],
  ...['tokens', 'permissions', 'quotas'].map((room) => [`src/${room}/`, [...callers, ...quotas, matrix]]),
];

export const isTarget = (path) =>
  /\.rules\.ts$|^src\/(?:tokens|permissions|quotas|idempotency|history)\/.*\.ts$|^src\/cli\/(?:key|token)\.ts$|^src\/rest\/read-[^/]*\.ts$/.test(
    path,
  );

/** The test named after the source comes first: it finds faults fastest. */
export function testsOf(path) {
  const own = path.replace(/^src\/(.*)\.ts$/, 'test/$1.test.ts');
  const [, tests = []] = targets.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return existsSync(join(root, own)) ? [own, ...tests.filter((test) => test !== own)] : tests;
}

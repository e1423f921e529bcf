import { type FastifyReply, type FastifyRequest, type RouteHandlerMethod } from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { type LogoIntake } from '../company/logo/logo-intake.js';
import { snakeCase } from '../errors/snake-case.js';
import { unreadable } from '../errors/domain-error.js';
import { excerpt } from '../errors/messages.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import {
  isCreation,
  type MutationField,
  ofMutations,
  operations,
  type WrittenRecord,
} from '../operations.js';
import { mostVersion } from '../history/version-write.rules.js';
import { prepareOperation, type MutationPayload } from './prepare-operation.js';
import { envelopes, inputOf, jobHeaders, rootField } from './envelope.js';
import { queryParameter } from './query-parameter.js';
import { type BodyFields, bodyFields, type ReadVariables, variablesReader } from './read-body.js';
import { readMultipart } from './read-multipart.js';
import { mutations } from './rest-schema.js';

/** The body of a reply, and headers of its own. */
type ReplyOf<Result> = (
  result: Result,
  field: MutationField,
) => { body: object; headers?: Record<string, string> };

const replyOf: { [Name in WrittenRecord]: ReplyOf<MutationPayload[Name]> } = {
  company: (company, field) => ({ body: { status: 201, company: envelopes[field](company) } }),
  job: (job, field) => ({ body: { data: envelopes[field](job) }, headers: jobHeaders(job) }),
};

export function mutationHandlers(schema: GraphQLSchema, files: { intake: LogoIntake; fieldBytes: number }) {
  function handler(field: MutationField) {
    const { table, inQuery, success } = mutations[field];
    const { record: name } = operations[field];
    const show = replyOf[name] as ReplyOf<object>;
    const run = prepareOperation(schema, field);
    const input = inputOf(rootField(schema, field));
    const readVariables = variablesReader(input, table);
    const names = new Set(bodyFields(input, table).map(({ name }) => snakeCase(name)));
    const isMisplaced = (parameter: string) => {
      const name = parameter.replaceAll('-', '_').replace(/\[\d*\]$/, '');
      return names.has(name) && name !== inQuery?.replaceAll('-', '_');
    };

    return async (request: FastifyRequest, reply: FastifyReply) => {
      const replyTo = async (body: BodyFields) => {
        const variables = readVariables(body, request.params as Record<string, unknown>);
        if (inQuery) applyQueryIdentifier(variables, queryParameter(request, inQuery));
        variables.unknownFields.push(...Object.keys(request.query as object).filter(isMisplaced));
        const { options, expectedVersions, parseFaults } = readMutationHeaders(request, isCreation(field));
        if (options.dryRun) void reply.header('preference-applied', 'validate-only');
        const result = await run(request, reply, {
          variables: { input: variables.input, ...options },
          parseFaults: [...variables.parseFaults, ...parseFaults],
          unknownFields: variables.unknownFields,
          expectedVersions,
        });
        const record = result[name];
        const { body: view, headers = {} } = show(record, field);
        void reply.headers(headers);
        // A dry run makes no version.
        if (!options.dryRun) {
          void reply.header('etag', `"${record.version}"`);
          // Relative to the path of the request, which a proxy can change.
          if (isCreation(field)) void reply.header('location', `jobs/${encodeURIComponent(record.publicId)}`);
        }
        // Without warnings, the reply lacks the key.
        const warnings = result.warnings.map(documentedWarning);
        return { ...view, ...(warnings.length > 0 && { warnings }) };
      };
      const isMultipart = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
      const body = isMultipart
        ? await readMultipart(request, files, replyTo)
        : await replyTo((request.body ?? {}) as BodyFields);
      return reply.code(success).send(body);
    };
  }

  return ofMutations<RouteHandlerMethod>(handler);
}

/** An unknown field keeps the name that the caller sent. */
const documentedWarning = ({ code, field, message }: MutationPayload['warnings'][number]) => ({
  code: code.replaceAll('_', '-'),
  field: code === 'unknown_field' ? field : snakeCase(field),
  message,
});

/** If the query string and the body both name a company, they must agree. */
function applyQueryIdentifier({ input, parseFaults }: ReadVariables, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'string') {
    parseFaults.push(fieldFault.mustBe('companyPublicId', 'string'));
    return;
  }
  const named = input.companyPublicId;
  const isBlank = typeof named !== 'string' || named.trim() === '';
  if (isBlank) input.companyPublicId = value;
  else if (value.trim() !== '' && named.trim() !== value.trim()) parseFaults.push(contradiction);
}

const contradiction = fieldFault.format('companyPublicId', {
  en: 'The query and the body must name the same company.',
  fr: 'L’URL et le corps doivent désigner la même entreprise.',
});

/** @throws DomainError body-format-error for a misspelt or misplaced `validate-only` */
function readMutationHeaders({ headers }: Pick<FastifyRequest, 'headers'>, isOfNew = false) {
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey } = headers;
  const expected = ifMatch === undefined ? null : isOfNew ? undefined : versionsIn(ifMatch);
  // Reject a condition that cannot be checked: ignoring it could write what the caller wanted to prevent.
  const parseFaults: FieldFault[] = [];
  if (expected === undefined) parseFaults.push(isOfNew ? conditionOfNew('ifMatch') : unclearCondition);
  if (headers['if-none-match'] !== undefined)
    parseFaults.push(isOfNew ? conditionOfNew('ifNoneMatch') : oppositeCondition);
  return {
    expectedVersions: expected ?? undefined,
    options: {
      idempotencyKey: idempotencyKey === undefined ? null : [idempotencyKey].flat().join(', '),
      dryRun: isDryRun(headers.prefer),
    },
    parseFaults,
  };
}

const validateOnly = 'validate-only';

/**
 * Ignores unknown preferences (RFC 7240, 2), but rejects a `Prefer` that mentions `validate-only`, in whatever case and with whatever
 * separators, without being read as that preference: ignoring it would write what the caller only wanted to check.
 */
function isDryRun(header: string | string[] | undefined): boolean {
  const prefer = [header ?? []].flat().join(',');
  const names = prefer
    .replace(quotedValue, '')
    .split(',')
    .map((preference) => preference.split(';')[0]?.trim().toLowerCase());
  if (names.includes(validateOnly)) return true;
  if (lettersOf(prefer).includes(lettersOf(validateOnly)))
    throw unreadable(
      `Prefer must be ${validateOnly}, not ${excerpt(prefer)}; separate preferences with commas`,
      `Prefer doit être ${validateOnly} et non ${excerpt(prefer)} ; séparez les préférences par des virgules`,
    );
  return false;
}

/** Commas between quotes do not separate preferences. An unclosed quote is an ordinary character. */
const quotedValue = /= *"(?:[^"\\]|\\.)*"/g;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

const unclearCondition = onArgument(
  fieldFault.format('ifMatch', {
    en: 'Send an ETag from a reply, with its quotes, or *.',
    fr: 'Envoyez l’ETag d’une réponse, avec ses guillemets, ou *.',
  }),
);

const oppositeCondition = onArgument(
  fieldFault.format('ifNoneMatch', {
    en: 'An update never creates a record: send the expected version in If-Match.',
    fr: 'Une mise à jour ne crée rien : envoyez la version attendue dans If-Match.',
  }),
);

const conditionOfNew = (header: 'ifMatch' | 'ifNoneMatch') =>
  onArgument(
    fieldFault.format(header, {
      en: 'A new job has no version: to create it once, send an Idempotency-Key.',
      fr: 'Une nouvelle offre n’a pas de version : pour la créer une seule fois, envoyez une Idempotency-Key.',
    }),
  );

/**
 * The versions in `If-Match`, any of which may match (RFC 9110, 13.1.1): null for `*`, undefined for an unreadable header. Our ETag is the
 * version in quotes, with or without the digest of a read. A weak ETag counts as a strong one: a proxy that compresses weakens ours on
 * their way out. Any other tag matches no record.
 */
function versionsIn(ifMatch: string): number[] | null | undefined {
  if (ifMatch.trim() === '*') return null;
  // A tag can have commas inside its quotes.
  const tags = (ifMatch.match(/("[^"]*"|[^,])+/g) ?? []).map((tag) => tag.trim()).filter(Boolean);
  if (tags.length === 0 || !tags.every((tag) => /^(W\/)?"[^"\s]*"$/.test(tag))) return undefined;
  return tags
    .flatMap((tag) => /^(?:W\/)?"([1-9]\d*)(?:-[\w-]{16})?"$/.exec(tag)?.[1] ?? [])
    .map(Number)
    .filter((version) => version <= mostVersion);
}

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql';
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../text/read-json.js';
import { excerpt, visible } from '../../errors/messages.js';
import { readJsonFile } from '../../text/read-json-file.js';
import { type Settings } from '../../settings/settings.js';
import { schemaRules } from '../bounds/schema-rules.js';

interface TrustedDocument {
  source: string;
  document: DocumentNode;
}

/** By the SHA-256 of the text, in lower-case hexadecimal. */
export type TrustedDocuments = ReadonlyMap<string, TrustedDocument>;

export class TrustedDocumentsError extends Error {
  override readonly name = 'TrustedDocumentsError';

  /** One sentence per fault, safe to print on a terminal. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const listed = faults.map(visible);
    super(listed.join(' '));
    this.faults = listed;
  }
}

const mostTokens = 20_000;
const mostFaults = 50;
const mostFaultsOfDocument = 5;

/** GraphQL Code Generator adds this prefix. */
export const withoutPrefix = (id: string): string => id.replace(/^sha256:/, '');

/**
 * Reads and validates TRUSTED_DOCUMENTS, if set.
 * @throws TrustedDocumentsError with the faults of each document; past 50 faults, only with its hash and name
 */
export async function readTrustedDocuments(
  settings: Pick<Settings, 'trustedDocuments' | 'trustedDocumentsOnly' | 'environment' | 'introspection'>,
  schema: GraphQLSchema,
): Promise<TrustedDocuments> {
  const { trustedDocuments: path } = settings;
  if (path === undefined) return new Map();
  const rules = [...specifiedRules, ...schemaRules(settings)];
  const documents = new Map<string, TrustedDocument>();
  const faults: string[] = [];
  const others: string[] = [];
  for (const [id, source] of Object.entries(await readEntries(path))) {
    const hash = withoutPrefix(id);
    const { document, faults: found } = read(hash, source, schema, rules);
    const label = `${excerpt(hash, 12)}${nameIn(document)}`;
    if (found.length > 0 && faults.length >= mostFaults) others.push(label);
    else faults.push(...found.map((fault) => `The trusted document ${label} ${fault}`));
    if (document && typeof source === 'string') documents.set(hash, { source, document });
  }
  if (others.length > 0) faults.push(`These trusted documents are refused, too: ${others.join(', ')}.`);
  if (faults.length > 0) throw new TrustedDocumentsError(faults);
  return documents;
}

async function readEntries(path: string): Promise<object> {
  const entries = await readJsonFile(path, { mostMebibytes: 16 }).catch((error: Error) => {
    throw new TrustedDocumentsError([error.message]);
  });
  if (isJsonObject(entries)) return entries;
  throw new TrustedDocumentsError([`The file ${path} is not a JSON object that maps hashes to documents.`]);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function read(hash: string, source: unknown, schema: GraphQLSchema, rules: readonly ValidationRule[]) {
  if (typeof source !== 'string') return { faults: ['is not text.'] };
  if (hash !== sha256(source)) return { faults: ['has a key that is not the SHA-256 of its text.'] };
  try {
    const document = parse(source, { maxTokens: mostTokens });
    const errors = validate(schema, document, rules, { maxErrors: mostFaultsOfDocument });
    return { document, faults: errors.map(faultOf) };
  } catch (error) {
    if (error instanceof GraphQLError) return { faults: [faultOf(error)] };
    // The parser has overflowed the stack.
    if (error instanceof RangeError) return { faults: ['is refused: It nests too deeply.'] };
    throw error;
  }
}

function nameIn(document: DocumentNode | undefined): string {
  const operation = document?.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return operation && 'name' in operation && operation.name ? ` (${operation.name.value})` : '';
}

function faultOf({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const at = place ? ` at ${place.line}:${place.column}` : '';
  return `is refused${at}: ${message}`;
}

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
import { readFile, stat } from 'node:fs/promises';
import { isJsonObject } from '../../text/read-json.js';
import { excerpt, visible } from '../../errors/excerpt.js';
import { placeOfJsonFault } from '../../text/json-fault.js';
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
    const shown = faults.map(visible);
    super(shown.join(' '));
    this.faults = shown;
  }
}

const largestFileBytes = 16 * 1_048_576;
const mostTokens = 20_000;
const mostFaults = 50;
const mostFaultsOfDocument = 5;

/** GraphQL Code Generator adds this prefix. */
export const withoutPrefix = (id: string): string => id.replace(/^sha256:/, '');

/** Reads and validates TRUSTED_DOCUMENTS, if set (Contract 8.4.9). @throws TrustedDocumentsError with at most 50 faults */
export async function readTrustedDocuments(
  settings: Pick<Settings, 'trustedDocuments' | 'trustedDocumentsOnly' | 'environment' | 'introspection'>,
  schema: GraphQLSchema,
): Promise<TrustedDocuments> {
  const { trustedDocuments: path } = settings;
  if (path === undefined) return new Map();
  const rules = [...specifiedRules, ...schemaRules(settings)];
  const documents = new Map<string, TrustedDocument>();
  const faults: string[] = [];
  for (const [id, source] of Object.entries(await readEntries(path))) {
    if (faults.length >= mostFaults) break;
    const hash = withoutPrefix(id);
    const shown = `The trusted document ${excerpt(hash, 12)}`;
    if (typeof source !== 'string') faults.push(`${shown} is not text.`);
    else if (hash !== sha256(source)) faults.push(`${shown} has a key that is not the SHA-256 of its text.`);
    else {
      const { document, errors } = check(source, schema, rules);
      faults.push(...errors.map((error) => `${shown}${nameIn(document)} ${faultOf(error)}`));
      if (document) documents.set(hash, { source, document });
    }
  }
  if (faults.length > 0) throw new TrustedDocumentsError(faults.slice(0, mostFaults));
  return documents;
}

async function readEntries(path: string): Promise<object> {
  const refuse = (reason: string) => new TrustedDocumentsError([`The file ${path} ${reason}.`]);
  let text: string;
  try {
    if ((await stat(path)).size > largestFileBytes) throw new Error('it is larger than 16 MiB');
    // TextDecoder drops a byte order mark.
    text = new TextDecoder().decode(await readFile(path));
  } catch (error) {
    throw refuse(`cannot be read: ${(error as Error).message}`);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    const { line, character } = placeOfJsonFault(text);
    throw refuse(`is not valid JSON at line ${line}, character ${character}`);
  }
  if (isJsonObject(entries)) return entries;
  throw refuse('is not a JSON object that maps hashes to documents');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function check(
  source: string,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
): { document?: DocumentNode; errors: readonly GraphQLError[] } {
  try {
    const document = parse(source, { maxTokens: mostTokens });
    return { document, errors: validate(schema, document, rules, { maxErrors: mostFaultsOfDocument }) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    // The parser has overflowed the stack.
    if (error instanceof RangeError) return { errors: [new GraphQLError('It nests too deeply.')] };
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

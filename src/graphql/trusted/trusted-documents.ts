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
import { isJsonObject } from '../../decoding/read-json.js';
import { excerpt, visible } from '../../errors/excerpt.js';
import { placeOfJsonFault } from '../../decoding/json-fault.js';
import { type Settings } from '../../settings.js';
import { servedOperationsRule } from '../bounds/served-operations.rule.js';
import { introspectionRules } from '../bounds/introspection.js';

/** A document that the operator vouches for, read and checked at the start. */
interface TrustedDocument {
  source: string;
  document: DocumentNode;
}

/** Trusted documents by the SHA-256 of their text, in lower-case hexadecimal digits. */
export type TrustedDocuments = ReadonlyMap<string, TrustedDocument>;

/** The file of trusted documents cannot be used. */
export class TrustedDocumentsError extends Error {
  override readonly name = 'TrustedDocumentsError';

  /** Each in one sentence, which a terminal may show. */
  readonly faults: readonly string[];

  /** @param faults every fault of the file, whatever its texts hold */
  constructor(faults: readonly string[]) {
    const shown = faults.map(visible);
    super(shown.join(' '));
    this.faults = shown;
  }
}

/** As many documents as the front-ends of an installation could have, ten times over. */
const largestFileBytes = 16 * 1_048_576;
/** Twenty times as many as other documents may have. */
const mostTokens = 20_000;
const mostFaults = 50;
const mostFaultsOfDocument = 5;

/** Takes away the name of the hash, which GraphQL Code Generator writes before it. */
export const withoutPrefix = (id: string): string => id.replace(/^sha256:/, '');

/** Reads and checks TRUSTED_DOCUMENTS, if set (Contract 8.4.9). @throws TrustedDocumentsError with every fault, up to fifty */
export async function readTrustedDocuments(
  settings: Pick<Settings, 'trustedDocuments' | 'trustedDocumentsOnly' | 'environment' | 'introspection'>,
  schema: GraphQLSchema,
): Promise<TrustedDocuments> {
  const { trustedDocuments: path } = settings;
  if (path === undefined) return new Map();
  const rules = [...specifiedRules, servedOperationsRule, ...introspectionRules(settings)];
  const documents = new Map<string, TrustedDocument>();
  const faults: string[] = [];
  for (const [id, source] of Object.entries(await readEntries(path))) {
    if (faults.length >= mostFaults) break;
    const hash = withoutPrefix(id);
    const shown = `The trusted document ${excerpt(hash, 12)}`;
    if (typeof source !== 'string') faults.push(`${shown} is no text.`);
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
    if ((await stat(path)).size > largestFileBytes) throw new Error('it has more than 16 MiB');
    // It leaves out the byte order mark that some editors write first.
    text = new TextDecoder().decode(await readFile(path));
  } catch (error) {
    throw refuse(`cannot be read: ${(error as Error).message}`);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    const { line, character } = placeOfJsonFault(text);
    throw refuse(`is not JSON from line ${line}, character ${character} on`);
  }
  if (isJsonObject(entries)) return entries;
  throw refuse('is no JSON object of hashes and documents');
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
    // The stack has no room for it.
    if (error instanceof RangeError) return { errors: [new GraphQLError('It nests too deeply.')] };
    throw error;
  }
}

/** The name of its first operation, which people know it by. */
function nameIn(document: DocumentNode | undefined): string {
  const operation = document?.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return operation && 'name' in operation && operation.name ? ` (${operation.name.value})` : '';
}

function faultOf({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const at = place ? ` at ${place.line}:${place.column}` : '';
  return `is refused${at}: ${message}`;
}

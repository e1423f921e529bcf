import { type JSONWebKeySet } from 'jose';
import { visible } from '../errors/messages.js';
import { type Role, roles, type Scope, scopes } from '../operations.js';
import { parseHttpUrl } from '../settings/setting-parsers.js';
import { type Settings } from '../settings/settings.js';
import { type JsonPointer, parseJsonPointer } from '../text/json-pointer.rules.js';
import { isJsonObject } from '../text/read-json.js';
import { readJsonFile } from '../text/read-json-file.js';
import { entriesOf, isWhole, publicKeySet } from './key-set.js';

const claimNames = ['scope', 'roles', 'media', 'brand'] as const;
type ClaimName = (typeof claimNames)[number];

/** How a token's claims become a caller. */
export interface ClaimRules {
  claims: Readonly<Record<ClaimName, JsonPointer>>;
  /** The provider's names → ours. Without a map, the provider uses our names. */
  roles?: ReadonlyMap<string, Role>;
  scopes?: ReadonlyMap<string, Scope>;
  /** Its subjects become `prefix:sub`. */
  prefix?: string;
  /** The prefixes of the other providers. No subject of a provider without a prefix may begin with one. */
  otherPrefixes: readonly string[];
  /** Public ids of the only media that it may speak for. */
  media: ReadonlySet<string> | '*';
}

/** An identity provider whose tokens the gateway accepts. Without `jwksUrl` and `keys`, its keys are in a key file. */
export interface Provider extends ClaimRules {
  issuer: string;
  audience: string;
  audienceClaim: JsonPointer;
  jwksUrl?: string;
  keys?: JSONWebKeySet;
  /** Whether callers may learn its name. */
  isListed: boolean;
}

export class ProvidersError extends Error {
  override readonly name = 'ProvidersError';

  /** One sentence per fault, safe to print on a terminal. */
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

export const ourClaims: ClaimRules = {
  claims: { scope: ['scope'], roles: ['roles'], media: ['media'], brand: ['brand'] },
  otherPrefixes: [],
  media: '*',
};

/**
 * Reads JWT_PROVIDERS. Without it, the other JWT_ settings describe the one provider.
 * @throws ProvidersError with every fault of the file
 */
export async function readProviders(
  settings: Pick<Settings, 'jwtProviders' | 'jwtIssuer' | 'jwtAudience' | 'jwksUrl' | 'environment'>,
): Promise<readonly Provider[]> {
  const { jwtProviders: path, jwtIssuer: issuer, jwtAudience: audience, jwksUrl } = settings;
  if (path === undefined) {
    const named = { issuer, audience, audienceClaim: ['aud'], isListed: false, ...ourClaims };
    return [jwksUrl === undefined ? named : { ...named, jwksUrl }];
  }
  const entries = await readJsonFile(path, { mostMebibytes: 1 }).catch((error: Error) => {
    throw new ProvidersError([visible(error.message)]);
  });
  if (!Array.isArray(entries) || entries.length === 0)
    throw new ProvidersError([`The file ${path} must be a JSON array of at least one provider.`]);
  const read = entries.map((entry, index) => readEntry(entry, `provider ${index + 1}`));
  const faults = [
    ...read.flatMap((each) => each.faults),
    ...read.flatMap((entry) => togetherFaults(entry, read, settings)),
  ];
  if (faults.length > 0) throw new ProvidersError(faults.map((fault) => visible(`${path}, ${fault}`)));
  return read.map(({ fields }) => providerOf(fields as Fields, read));
}

const mapOf =
  <Name extends string>(known: readonly Name[]) =>
  (value: unknown): ReadonlyMap<string, Name> => {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    if (entries.length === 0 || !entries.every(([, name]) => known.includes(name as Name)))
      throw new Error(`must map the provider’s names to ${known.join(', ')}`);
    return new Map(entries as [string, Name][]);
  };

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('must be a text');
  return value;
}

/** The members of an entry. Each reader throws an Error that says what the value must be, and quotes nothing of it. */
const readers = {
  issuer: text,
  audience: text,
  audienceClaim: parseJsonPointer,
  jwksUrl: (value: unknown) => {
    try {
      return parseHttpUrl(text(value));
    } catch {
      throw new Error('must be an http or https URL without user');
    }
  },
  keys: (value: unknown) => {
    const usable = publicKeySet(value).keys.filter(isWhole);
    if (usable.length === 0 || usable.length < entriesOf(value).length)
      throw new Error('must have only keys that can verify: RSA of at least 2048 bits, EC or Ed25519');
    return { keys: usable };
  },
  claims: (value: unknown) => {
    const known =
      isJsonObject(value) && Object.keys(value).every((name) => claimNames.includes(name as never));
    if (!known) throw new Error(`must map some of ${claimNames.join(', ')} to JSON pointers`);
    const pointers = Object.entries(value).map(([name, pointer]) => [name, parseJsonPointer(pointer)]);
    return Object.fromEntries(pointers) as Partial<ClaimRules['claims']>;
  },
  roles: mapOf(roles),
  scopes: mapOf(scopes),
  prefix: (value: unknown) => {
    if (typeof value !== 'string' || !/^[a-z0-9-]+$/.test(value)) throw new Error('must match [a-z0-9-]+');
    return value;
  },
  listed: (value: unknown) => {
    if (typeof value !== 'boolean') throw new Error('must be true or false');
    return value;
  },
  media: (value: unknown) => {
    if (value === '*') return value;
    const ids: unknown[] = Array.isArray(value) ? value : [];
    if (ids.length === 0 || !ids.every((id) => typeof id === 'string' && id !== ''))
      throw new Error('must be "*" or an array of public ids');
    return new Set(ids as string[]);
  },
};

type Fields = Partial<{ [Name in keyof typeof readers]: ReturnType<(typeof readers)[Name]> }>;

interface ProviderEntry {
  at: string;
  fields: Fields | null;
  faults: string[];
}

function readEntry(entry: unknown, at: string): ProviderEntry {
  if (!isJsonObject(entry)) return { at, fields: null, faults: [`${at}: must be an object`] };
  const faults: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (!Object.hasOwn(readers, name)) {
      faults.push(
        `${at}: has an unknown member ${JSON.stringify(name)}; known are ${Object.keys(readers).join(', ')}`,
      );
      continue;
    }
    try {
      fields[name] = readers[name as keyof typeof readers](value);
    } catch (error) {
      fields[name] = undefined;
      faults.push(`${at}: ${name} ${(error as Error).message}`);
    }
  }
  for (const name of ['issuer', 'audience']) if (!(name in fields)) faults.push(`${at}: ${name} is missing`);
  if ('jwksUrl' in fields === 'keys' in fields) faults.push(`${at}: needs jwksUrl or keys, and not both`);
  return { at, fields, faults };
}

/** The faults that show only beside the other entries or settings. A member that is faulty itself has none. */
function togetherFaults(
  entry: ProviderEntry,
  all: readonly ProviderEntry[],
  { environment }: Pick<Settings, 'environment'>,
) {
  const { fields, at } = entry;
  if (!fields) return [];
  const before = all.slice(0, all.indexOf(entry));
  const twinBy = (name: 'issuer' | 'prefix') =>
    before.find(
      ({ fields: other }) =>
        other && other[name] === fields[name] && name in other === name in fields && !isFaulty(other, name),
    );
  const [sameIssuer, samePrefix] = [twinBy('issuer'), twinBy('prefix')];
  return [
    fields.issuer !== undefined && sameIssuer && `${at}: issuer is also that of ${sameIssuer.at}`,
    samePrefix &&
      (fields.prefix === undefined
        ? `${at}: prefix is missing, as in ${samePrefix.at}: only one provider may have none`
        : `${at}: prefix is also that of ${samePrefix.at}`),
    all.length > 1 && !('media' in fields) && `${at}: media is missing, which several providers need`,
    environment === 'production' &&
      fields.jwksUrl?.startsWith('http:') &&
      `${at}: jwksUrl must be https with NODE_ENV=production`,
  ].filter((fault) => typeof fault === 'string');
}

const isFaulty = (fields: Fields, name: keyof Fields): boolean =>
  name in fields && fields[name] === undefined;

function providerOf(fields: Fields, all: readonly ProviderEntry[]): Provider {
  const { claims, listed = false, ...settings } = fields;
  const prefixes = all.flatMap((each) => each.fields?.prefix ?? []);
  return {
    // An entry without an issuer or an audience has been refused.
    ...{ issuer: '', audience: '', audienceClaim: ['aud'], media: '*' },
    ...settings,
    claims: { ...ourClaims.claims, ...claims },
    otherPrefixes: prefixes.filter((prefix) => prefix !== fields.prefix),
    isListed: listed,
  };
}

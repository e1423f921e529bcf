import { longestSubject } from '../tokens/token-claims.js';
import { type Provider, readProviders } from '../tokens/providers.js';
import {
  listRevocations,
  type Revocation,
  revoke,
  type RevocationKind,
  type Target,
  undoRevocation,
} from '../tokens/revocations.js';
import { databaseOf } from '../database/connect.js';
import { visible } from '../errors/messages.js';
import { withoutTokens } from '../log/log.js';
import { parseSettings } from '../settings/settings.js';
import { type Arguments, command, endWith, onDatabase, readDurationMs, usageFault } from './command.js';

const syntax = {
  name: 'revoke',
  summary:
    'Cuts a caller off: every process answers 401 within 30 seconds, until --undo or the end of --for. With several identity providers, a subject has the prefix of its provider.',
  options: {
    'token-id': { value: 'JTI', help: 'the token with this jti' },
    issuer: { value: 'ISS', help: 'the iss of that token; needed with several identity providers' },
    subject: { value: 'SUB', help: 'every token that this subject has been issued until now' },
    block: { value: 'SUB', help: 'every token of this subject, later ones too' },
    for: { value: 'TIME', help: 'how long, such as 24h or 30d; without it until --undo' },
    undo: { help: 'takes a revocation back; repeat the option that made it' },
    list: { help: 'lists the revocations in force, the oldest first' },
  },
} as const;

type Values = Arguments<(typeof syntax)['options']>['values'];

const kindOf = { 'token-id': 'token', subject: 'subject', block: 'block' } as const satisfies Record<
  string,
  RevocationKind
>;
const nameOf: Record<RevocationKind, string> = {
  token: 'the token',
  subject: 'the tokens until now of',
  block: 'every token of',
};

/** The command `revoke`. */
export const runRevokeCommand = command(syntax, async ({ values }, environment, tell) => {
  const settings = parseSettings(environment);
  const target = values.list ? null : targetOf(values, await readProviders(settings));
  const at = new Date();
  const until = values.for === undefined ? null : new Date(at.getTime() + readDurationMs('for', values.for));
  if (until !== null && (values.list || values.undo))
    throw usageFault(syntax, '--for goes with neither --list nor --undo.');
  return onDatabase(settings, { tell, makesStore: false }, async (_models, { tasks }) => {
    const db = databaseOf(tasks);
    if (target === null) return (await listRevocations(db, at)).map(lineOf).join('\n') || 'No revocations.';
    const described = describe(target);
    if (!values.undo) {
      await revoke(db, target, { at, until });
      return `Cut off: ${described}, ${endOf(until)}. Every process refuses it within 30 seconds.`;
    }
    if (!(await undoRevocation(db, target)))
      throw new Error(`There is no revocation of ${described}: see --list`);
    return `Undone: ${described}. Every process accepts it within 30 seconds.`;
  });
});

/** @throws Error unless the options name exactly one target that can exist */
function targetOf(values: Values, providers: readonly Provider[]): Target {
  const [option, ...others] = (Object.keys(kindOf) as (keyof typeof kindOf)[]).filter(
    (name) => values[name] !== undefined,
  );
  if (option === undefined || others.length > 0)
    throw usageFault(syntax, 'Give one of --token-id, --subject, --block and --list.');
  const [kind, value] = [kindOf[option], values[option] ?? ''];
  if (value === '' || value.length > longestSubject)
    throw usageFault(syntax, `--${option} must have 1 to ${longestSubject} characters.`);
  // The list must never show a token.
  if (withoutTokens(value) !== value)
    throw usageFault(syntax, `--${option} is a claim of the token, jti or sub, and not the token itself.`);
  if (kind !== 'token') {
    if (values.issuer !== undefined) throw usageFault(syntax, '--issuer goes with --token-id only.');
    const isOfOne = providers.some(({ prefix }) => prefix === undefined || value.startsWith(`${prefix}:`));
    if (!isOfOne)
      throw usageFault(
        syntax,
        `--${option} must begin with the prefix of a provider: ${providers.map(({ prefix }) => `${prefix}:`).join(', ')}.`,
      );
    return { kind, value, issuer: null };
  }
  const issuers = providers.map(({ issuer }) => issuer);
  const issuer = values.issuer ?? (issuers.length === 1 ? issuers[0] : undefined);
  if (issuer === undefined || !issuers.includes(issuer))
    throw usageFault(syntax, `--issuer must be one of ${issuers.join(', ')}.`);
  return { kind, value, issuer };
}

const describe = ({ kind, value, issuer }: Target): string =>
  visible(`${nameOf[kind]} ${value}${issuer === null ? '' : ` of ${issuer}`}`);

const endOf = (until: Date | null): string => (until ? `until ${until.toISOString()}` : 'until it is undone');

const lineOf = (entry: Revocation): string =>
  `${entry.at.toISOString()}  ${endOf(entry.until)}  ${describe(entry)}`;

await endWith(import.meta, runRevokeCommand);

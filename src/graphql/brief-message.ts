import { type GraphQLError } from 'graphql';
import { excerpt } from '../errors/excerpt.js';

/** The longest message of GraphQL's. */
const longestMessage = 200;
/** A message is searched only so far: what comes later is a caller's text, and takes time to look through. */
const mostLookedAt = 2_000;

/**
 * A message of GraphQL with each name and value cut to an excerpt (Contract 8.6.8). Without `hasHints` it suggests no names,
 * which would give the schema away, one guess at a time.
 */
export function briefMessage(
  { message, originalError }: Pick<GraphQLError, 'message' | 'originalError'>,
  { hasHints }: { hasHints: boolean },
): string {
  const brief = (text: string) => cut(hasHints ? text : withoutHint(text));
  const [, variable] = /^Variable "(\$\w{1,128})" got invalid value /.exec(message) ?? [];
  const reason = originalError?.message;
  if (!variable || !reason) return brief(message);
  // The value comes first, then its place and the reason, both short except where they repeat the value.
  const beforeReason = message.slice(0, -reason.length);
  const [place = ''] = / at "[\w.[\]]{1,200}"(?=; $)/.exec(beforeReason.slice(-300)) ?? [];
  return `Variable "${variable}" got an invalid value${place}; ${brief(reason)}`;
}

const cut = (message: string): string =>
  excerpt(
    message
      .slice(0, mostLookedAt)
      // A value as it was written, or a name that is no name of GraphQL's.
      .replace(/(?<= value: ).*?(?=\. Did you mean |$)/s, (value) => excerpt(value))
      .replace(/(?<=^Field ").*(?=" is not defined)/s, (name) => excerpt(name))
      .replace(/"[^"]{41,}"?/g, (quoted) => `"${excerpt(quoted.slice(1))}"`)
      .replace(/[^\s"]{42,}/g, (word) => excerpt(word)),
    longestMessage,
  );

/** Apollo's own option leaves hints about variables, and its time grows with the square of repetitive texts (Contract 8.6.11). */
function withoutHint(message: string): string {
  const hintAt = message.endsWith('?') ? message.lastIndexOf('Did you mean ') : -1;
  return hintAt === -1 ? message : message.slice(0, hintAt).trimEnd();
}

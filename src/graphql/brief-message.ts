import { type GraphQLError } from 'graphql';
import { excerpt } from '../errors/excerpt.js';

/** In UTF-16 units. */
const longestMessage = 200;
/** How many UTF-16 units of a message are searched for long names and values. */
const mostLookedAt = 2_000;

/**
 * Shortens each name and value in a GraphQL message (Contract 8.6.8). Without `hasHints`, removes "Did you mean" hints, which reveal the
 * schema one guess at a time.
 */
export function briefMessage(
  { message, originalError }: Pick<GraphQLError, 'message' | 'originalError'>,
  { hasHints }: { hasHints: boolean },
): string {
  const brief = (text: string) => cut(hasHints ? text : withoutHint(text));
  const [, variable] = /^Variable "(\$\w{1,128})" got invalid value /.exec(message) ?? [];
  const reason = originalError?.message;
  if (!variable || !reason) return brief(message);
  // Leave out the value, which can be long. Shorten the reason, which can repeat the value.
  const beforeReason = message.slice(0, -reason.length);
  const [place = ''] = / at "[\w.[\]]{1,200}"(?=; $)/.exec(beforeReason.slice(-300)) ?? [];
  return `Variable "${variable}" got an invalid value${place}; ${brief(reason)}`;
}

const cut = (message: string): string =>
  excerpt(
    message
      .slice(0, mostLookedAt)
      // A value, and a field name from JSON variables, can contain quotation marks, so shorten both first.
      .replace(/(?<= value: ).*?(?=\. Did you mean |$)/s, (value) => excerpt(value))
      .replace(/(?<=^Field ").*(?=" is not defined)/s, (name) => excerpt(name))
      .replace(/"[^"]{41,}"?/g, (quoted) => `"${excerpt(quoted.slice(1))}"`)
      .replace(/[^\s"]{42,}/g, (word) => excerpt(word)),
    longestMessage,
  );

/**
 * Apollo's `hideSchemaDetailsFromClientErrors` keeps hints about variables and takes quadratic time on repetitive texts (Contract
 * 8.6.11).
 */
function withoutHint(message: string): string {
  const hintAt = message.endsWith('?') ? message.lastIndexOf('Did you mean ') : -1;
  return hintAt === -1 ? message : message.slice(0, hintAt).trimEnd();
}

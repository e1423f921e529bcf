import { excerpt } from '../errors/messages.js';

/** In UTF-16 units. */
const longestMessage = 200;
/** How many UTF-16 units of a message are searched for long names and values. */
const mostLookedAt = 2_000;

/** Shortens each name and value in a GraphQL message. */
export const briefMessage = (message: string): string =>
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

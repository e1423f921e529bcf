import { errorCodes } from '../errors/catalogue.js';
import { enumName } from '../errors/error.types.js';

/** The codes as replies have them, by their names in the schema, for the typed client; it compiles only if it has all. */
export const printClientErrorCodes = (): string => `// Emitted from the catalogue by npm run emit.
import { type ErrorCode } from './documents/graphql.js';

/** The codes as replies have them, by their names in the schema. */
export const wireCodes = {
${errorCodes.map((code) => `  ${enumName(code)}: '${code}',`).join('\n')}
} as const satisfies Record<ErrorCode, string>;

/** What \`extensions.error\` says of an error, and \`error\` over REST. */
export type WireCode = (typeof wireCodes)[ErrorCode];
`;

import { errorCodes } from '../errors/catalogue.js';
import { enumName } from '../graphql/error.types.js';

/** The printed file compiles only if it has every code of the schema. */
export const printClientErrorCodes = (): string => `// Emitted from the catalogue by npm run emit.
import { type ErrorCode } from './documents/graphql.js';

/** The error codes of replies, by their names in the schema. */
export const wireCodes = {
${errorCodes.map((code) => `  ${enumName(code)}: '${code}',`).join('\n')}
} as const satisfies Record<ErrorCode, string>;

/** A code in \`extensions.error\`, or in \`error\` over REST. */
export type WireCode = (typeof wireCodes)[ErrorCode];
`;

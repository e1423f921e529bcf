/**
 * For GraphQL Code Generator: `generates: { 'src/gql/': { preset: 'client', config } }`. Enums become unions, and scalars
 * the types that JSON has for them.
 */
export const config = {
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    DateTimeISO: 'string',
    // Replies have a string, such as "12.50"; an input may be a number, too.
    Decimal: { input: 'number | string', output: 'string' },
    JSON: 'unknown',
    Upload: 'Blob',
  },
};

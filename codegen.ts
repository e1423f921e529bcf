import { type CodegenConfig } from '@graphql-codegen/cli';
import { config } from './schema/client/src/codegen.js';

/** For GraphQL Code Generator, the last step of `npm run emit`. */
export default {
  schema: 'schema/schema.graphql',
  generates: {
    // The types of the operations that REST runs.
    'src/graphql/generated/operations.ts': {
      documents:
        'schema/operations/{changes,company,job,job-posting,jobs,references,update-company,update-job}.graphql',
      plugins: ['typescript-operations'],
      config: {
        ...config,
        avoidOptionals: { field: true },
        disableDescriptions: true,
        enumsAsTypes: true,
        skipTypename: true,
        scalars: { ...config.scalars, Upload: 'Promise<unknown>' },
      },
    },
    // The typed documents that a front-end imports, and their texts by hash.
    'schema/client/src/documents/': {
      documents: 'schema/operations/*.graphql',
      preset: 'client',
      documentTransforms: ['./schema/client/apollo-typenames.mjs'],
      presetConfig: { fragmentMasking: false, persistedDocuments: true, skipIndexFile: true },
      config: {
        ...config,
        avoidOptionals: { field: true },
        importExtension: '.js',
        inlineFragmentTypes: 'combine',
        nonOptionalTypename: true,
        skipTypeNameForRoot: true,
      },
    },
  },
} satisfies CodegenConfig;

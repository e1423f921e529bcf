import { type CodegenConfig } from '@graphql-codegen/cli';
import { config } from 'recruitment-gateway-client/codegen';

export default {
  schema: 'node_modules/recruitment-gateway-client/schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: { 'src/gql/': { preset: 'client', config } },
} satisfies CodegenConfig;

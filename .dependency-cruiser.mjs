import { readFileSync } from 'node:fs';

/** The layers of the code, highest first. */
const floors = readFileSync(`${import.meta.dirname}/src/README.md`, 'utf8')
  .match(/```text\n([^`]+)/)[1]
  .trim()
  .split('\n')
  .map((floor) => floor.split(/ +/));

const importsPointDown = floors.flatMap((floor, height) =>
  floor.map((room) => ({
    name: 'imports-point-down',
    comment:
      'A room may import only from lower layers of src/README.md, types included. Move code that two rooms share to the lower one.',
    severity: 'error',
    from: { path: `^src/${room}` },
    to: {
      path: `^src/(${floors
        .slice(0, height + 1)
        .flat()
        .join('|')})`,
      pathNot: `^src/${room}`,
    },
  })),
);

export default {
  forbidden: [
    ...importsPointDown,
    {
      name: 'packages-are-declared',
      comment:
        'A package that package.json does not name is there by chance: another one brings it, of a version of its own choice.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or need a third that both read.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-rings-of-folders',
      comment:
        'Two folders that import each other, types included, are one: move what both need to the lower one.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'rules-are-pure',
      comment:
        'A .rules file takes everything it needs as arguments: no Mongoose, GraphQL, Fastify, settings or clock.',
      severity: 'error',
      from: { path: '\\.rules\\.ts$' },
      to: {
        path: '(node_modules/(mongoose|graphql|type-graphql|fastify|@apollo)/|\\.(model|service|resolver|types)\\.ts$|^src/(graphql|rest|http|database|settings))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'services-know-no-transport',
      comment:
        'A service takes a Caller and plain input and throws DomainError; GraphQL, REST and HTTP are the callers’ business.',
      severity: 'error',
      from: { path: '\\.(service|model)\\.ts$' },
      to: {
        path: '(node_modules/(graphql|type-graphql|fastify|@apollo|@fastify)/|\\.(resolver|types)\\.ts$|^src/(graphql|rest|http)/)',
      },
    },
    {
      name: 'rest-executes-graphql',
      comment:
        'REST runs the operations of schema/operations, so that permissions, quota and rules are the same over both APIs.',
      severity: 'error',
      from: { path: '^src/rest/' },
      to: { path: '\\.(service|model|resolver)\\.ts$' },
    },
    {
      name: 'embedded-store-stands-alone',
      comment: 'The built-in store could be any MongoDB server: it imports nothing of ours.',
      severity: 'error',
      from: { path: '^src/database/embedded/' },
      to: { path: '^src/', pathNot: '^src/database/embedded/' },
    },
    {
      name: 'embedded-store-behind-connect',
      comment:
        'Only database/connect.ts knows that there is a built-in store; how it makes and locks a folder serves key files, too.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/(embedded/|connect\\.ts$)' },
      to: { path: '^src/database/embedded/', pathNot: '^src/database/embedded/storage/folder-lock\\.ts$' },
    },
    {
      name: 'http-knows-no-domain',
      comment:
        'http/ is the edge: it knows callers, errors and settings, and takes what else it needs as arguments. What is no edge stands below, in decoding/ and log/.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/', pathNot: '^src/(http|access|errors|decoding|log|settings)' },
    },
    {
      name: 'openapi-follows',
      comment: 'The OpenAPI document is made of what serves requests, never the other way round.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(rest/openapi|cli/)' },
      to: { path: '^src/rest/openapi', pathNot: '^src/rest/openapi\\.ts$' },
    },
    {
      name: 'resolvers-forward',
      comment: 'A resolver calls its service; it never touches a model.',
      severity: 'error',
      from: { path: '\\.resolver\\.ts$' },
      to: { path: '\\.model\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tracing-only-when-asked',
      comment:
        'OpenTelemetry costs nothing where nobody asks for it: main.ts imports src/tracing at run time, others its types.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: {
        path: '(^src/tracing/|node_modules/@opentelemetry/)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

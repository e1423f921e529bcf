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
    comment: 'A room may import only from lower layers of src/README.md, types included.',
    severity: 'error',
    from: { path: `^src/${room}` },
    to: {
      path: `^src/(${floors
        .slice(0, height + 1)
        .flat()
        .join('|')})`,
      // A room within another can be on a lower line.
      pathNot: `^src/(${[room, ...floors.slice(height + 1).flat()].join('|')})`,
    },
  })),
);

export default {
  forbidden: [
    ...importsPointDown,
    {
      name: 'rooms-have-a-layer',
      comment: 'List every room of src/ among the layers of src/README.md.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${floors.flat().join('|')})` },
      to: {},
    },
    {
      name: 'packages-are-declared',
      comment: 'Declare every imported package in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-cycles',
      comment: 'Merge two modules that import each other, or move what both need to a third module.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-rings-of-folders',
      comment:
        'Two folders must not import each other, types included: move what both need to the lower folder.',
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
        path: '(node_modules/(mongoose|graphql|type-graphql|fastify|@apollo)/|\\.(record|mongoose|service|resolver|graphql)\\.ts$|^src/(graphql|rest|http|database|settings))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'services-know-no-transport',
      comment:
        'A service takes a Caller and plain input and throws DomainError; GraphQL, REST and HTTP are the callers’ business.',
      severity: 'error',
      from: { path: '\\.(service|record|mongoose)\\.ts$' },
      to: {
        path: '(node_modules/(graphql|type-graphql|@graphql-tools|fastify|@apollo|@fastify)/|\\.(resolver|graphql|view)\\.ts$|^src/(graphql|rest|http)/)',
      },
    },
    {
      name: 'rest-executes-graphql',
      comment: 'REST runs the operations of schema/operations.',
      severity: 'error',
      from: { path: '^src/rest/' },
      to: { path: '\\.(service|record|mongoose|resolver)\\.ts$' },
    },
    {
      name: 'embedded-store-stands-alone',
      comment: 'The built-in store imports nothing from the gateway but the lock of a folder.',
      severity: 'error',
      from: { path: '^src/database/embedded/' },
      to: { path: '^src/', pathNot: '^src/(database/embedded|folder)/' },
    },
    {
      name: 'embedded-store-behind-connect',
      comment: 'Only database/connect.ts may import the built-in store.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/(embedded/|connect\\.ts$)' },
      to: { path: '^src/database/embedded/' },
    },
    {
      name: 'http-knows-no-domain',
      comment:
        'http/ may import only tokens/, permissions/, quotas/, errors/, text/, database/, log/, the settings and the table of operations.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: {
        path: '^src/',
        pathNot: '^src/(http|tokens|permissions|quotas|errors|text|database|log|settings|operations)',
      },
    },
    {
      name: 'openapi-follows',
      comment: 'Code that serves requests must not import the generator of the OpenAPI document.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(rest/openapi|cli/|build/)' },
      to: { path: '^src/rest/openapi', pathNot: '^src/rest/openapi\\.ts$' },
    },
    {
      name: 'resolvers-forward',
      comment: 'A resolver calls its service; it never touches the database.',
      severity: 'error',
      from: { path: '\\.resolver\\.ts$' },
      to: { path: '\\.(record|mongoose)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'doctor-only-when-a-start-fails',
      comment: 'The process starts without src/doctor: import it dynamically.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(doctor|cli)/' },
      to: { path: '^src/doctor/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'tracing-only-when-asked',
      comment:
        'OpenTelemetry is loaded only if traces are on: import src/tracing dynamically, or only its types.',
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

import { fastify } from 'fastify';
import { GraphQLObjectType } from 'graphql';
import { LogoIntake } from '../../../src/company/logo/logo-intake.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { refuseOtherMethods } from '../../../src/http/other-methods.js';
import { registerRestRoutes } from '../../../src/rest/rest.routes.js';
import { type Settings } from '../../../src/settings.js';

/** Every root field of the schema, and every field below it that takes arguments, as coordinates. */
export function schemaOperations(): string[] {
  return Object.values(buildSchema().getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType && !type.name.startsWith('__'))
    .flatMap((type) => {
      const isRoot = type.name === 'Query' || type.name === 'Mutation' || type.name === 'Subscription';
      return Object.values((type as GraphQLObjectType).getFields())
        .filter(({ args }) => isRoot || args.length > 0)
        .map(({ name }) => `${type.name}.${name}`);
    });
}

/** Every method and path that the REST door registers, those among them that it registers to answer 405. */
export async function restRoutes(settings: Settings): Promise<string[]> {
  const routes: string[] = [];
  const app = fastify();
  refuseOtherMethods(app);
  app.addHook(
    'onRoute',
    ({ method, url }) => void routes.push(...[method].flat().map((one) => `${one} ${url}`)),
  );
  await registerRestRoutes(app, {
    schema: buildSchema(),
    authenticate: async () => undefined,
    intake: new LogoIntake(settings.logoMaxBytes),
    countRefusal: async () => null,
    settings,
  });
  await app.close();
  return routes;
}

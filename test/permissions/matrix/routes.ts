import { fastify } from 'fastify';
import { GraphQLObjectType } from 'graphql';
import { LogoIntake } from '../../../src/company/logo/logo-intake.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { ErrorResponder } from '../../../src/http/error-responder.js';
import { refuseOtherMethods } from '../../../src/http/unrouted.js';
import { registerRestRoutes } from '../../../src/rest/rest.routes.js';
import { type Settings } from '../../../src/settings/settings.js';

/** Every field with its own resolver or guard, root fields included. */
export function schemaOperations(): string[] {
  return Object.values(buildSchema().getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields())
        .filter(({ resolve, extensions }) => resolve ?? extensions.for)
        .map(({ name }) => `${type.name}.${name}`),
    );
}

/** Includes the methods that only answer 405. */
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
    errorResponder: new ErrorResponder(
      { spendOnce: async () => null },
      { consume: () => null },
      () => undefined,
    ),
    settings,
  });
  await app.close();
  return routes;
}

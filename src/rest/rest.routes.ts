import { type FastifyInstance, type onRequestAsyncHookHandler, type RouteHandlerMethod } from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { type LogoIntake } from '../company/logo/logo-intake.js';
import { boundLength, leaveMultipart, parseBodies } from '../http/read-request.js';
import { type ErrorResponder } from '../http/error-responder.js';
import { type DocumentedField, documentedFields, operations } from '../operations.js';
import { type Settings } from '../settings/settings.js';
import { inputOf, rootField } from './envelope.js';
import { type BodyFormat, bodyFormats, contentTypes, readForm, readJson } from './read-body.js';
import { readHandlers } from './read.routes.js';
import { restSchema } from './rest-schema.js';
import { mutationHandlers } from './mutation.routes.js';

interface RestDependencies {
  schema: GraphQLSchema;
  authenticate: onRequestAsyncHookHandler;
  intake: LogoIntake;
  errorResponder: ErrorResponder;
  settings: Pick<Settings, 'bodyMaxBytes'>;
}

/** Each route runs a GraphQL operation. */
export async function registerRestRoutes(
  app: FastifyInstance,
  { schema: guarded, authenticate, intake, errorResponder, settings: { bodyMaxBytes } }: RestDependencies,
): Promise<void> {
  const schema = restSchema(guarded);
  const handlers: Record<DocumentedField, RouteHandlerMethod> = {
    ...readHandlers(schema),
    ...mutationHandlers(schema, { intake, fieldBytes: bodyMaxBytes }),
  };
  // `refuseOtherMethods` needs all methods of a path in one plugin.
  for (const url of new Set(documentedFields.map((field) => operations[field].rest.path)))
    await app.register(async (scope) => {
      // Fastify’s own parsers would accept text/plain.
      scope.removeAllContentTypeParsers();
      for (const field of documentedFields.filter((each) => operations[each].rest.path === url)) {
        const { type, bucket, rest } = operations[field];
        const formats = type === 'mutation' ? bodyFormats(inputOf(rootField(schema, field))) : [];
        const types = formats.map((format) => contentTypes[format]);
        const bodies = formats.length > 0 && { types, methods: rest.methods };
        for (const format of formats) takeBodies[format](scope);
        const hooks = {
          onRequest: formats.includes('multipart')
            ? [authenticate, boundLength(bodyMaxBytes, intake.maxBytes)]
            : authenticate,
          errorHandler: errorResponder.errorHandler({ api: 'rest', bucket, ...bodies }),
        };
        scope.route({ method: [...rest.methods], url, ...hooks, handler: handlers[field] });
      }
    });
}

const takeBodies: Record<BodyFormat, (app: FastifyInstance) => void> = {
  form: (app) => parseBodies(app, contentTypes.form, readForm),
  multipart: leaveMultipart,
  json: (app) => parseBodies(app, contentTypes.json, readJson),
};

import { type FastifyInstance } from 'fastify';
import { type Logger } from 'pino';
import { Admission } from '../permissions/admission.js';
import { type Keys } from '../tokens/keys.js';
import { type Quotas } from '../quotas/quotas.js';
import { createTokenVerifier } from '../tokens/token-verifier.js';
import { watchRevocations } from '../tokens/revocations.js';
import { registerLogoRoutes } from '../company/logo/logo.routes.js';
import { type Database, databaseOf } from '../database/connect.js';
import { isDatabaseAway } from '../database/database-errors.js';
import { startApollo } from '../graphql/apollo.js';
import { registerGraphQLRoutes } from '../graphql/graphql.routes.js';
import { replyFormatter } from '../graphql/format-reply.js';
import { readTrustedDocuments } from '../graphql/trusted/trusted-documents.js';
import { createGuardedSchema } from './guarded-schema.js';
import { type ErrorResponder } from '../http/error-responder.js';
import { registerResourceMetadataRoute } from '../http/resource-metadata.routes.js';
import { authentication } from '../http/server.js';
import { type Metrics } from '../metrics/metrics.js';
import { registerPageRoutes } from '../pages/pages.routes.js';
import { registerOpenApiRoutes } from '../rest/openapi.js';
import { registerRestRoutes } from '../rest/rest.routes.js';
import { type Services } from './services.js';
import { type Settings } from '../settings/settings.js';
import { type Tracing } from '../tracing/start-tracing.js';

interface ApiDependencies {
  services: Services;
  keys: Keys;
  database: Database;
  quotas: Quotas;
  errorResponder: ErrorResponder;
  metrics: Metrics;
  onShed: (reason: string) => void;
  tracing: Tracing | undefined;
  clock: () => Date;
  log: Logger;
}

/** Registers GraphQL, REST, the logos, and the pages that document them. */
export async function registerApis(
  app: FastifyInstance,
  settings: Settings,
  { services, keys, database, quotas, errorResponder, metrics, onShed, tracing, clock, log }: ApiDependencies,
): Promise<void> {
  const schema = createGuardedSchema(services, {
    quotas,
    admission: new Admission(database.awayReason, settings.maxInFlight, onShed),
    metrics,
    tracing,
  });
  const trusted = await readTrustedDocuments(settings, schema);
  const { logoStore, intake } = services;
  const apollo = await startApollo(schema, settings, {
    log,
    formatReply: replyFormatter(errorResponder, schema, settings),
    trusted,
  });
  app.addHook('onClose', () => apollo.stop());
  const revocations = await watchRevocations(databaseOf(database.tasks), (err) => {
    // The log says once that the database is away.
    if (!isDatabaseAway(err))
      log.warn({ err }, 'the revocations cannot be read: the last list stays in force');
  });
  app.addHook('onClose', async () => revocations.stop());
  const verify = createTokenVerifier({ keys, clock, isRevoked: revocations.isRevoked });
  registerResourceMetadataRoute(app, settings.publicUrl, keys.providers);
  registerLogoRoutes(app, logoStore);
  registerOpenApiRoutes(app, schema, settings.publicUrl);
  const landingPage = await registerPageRoutes(app, settings, { keys, clock, log });
  await registerGraphQLRoutes(app, {
    apollo,
    trusted,
    landingPage,
    authenticate: authentication(verify, { isTokenRequired: false }),
    errorResponder,
    settings,
  });
  await registerRestRoutes(app, {
    schema,
    authenticate: authentication(verify, { isTokenRequired: true }),
    intake,
    errorResponder,
    settings,
  });
}

import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { pageElement, readPageData } from './page-data';
import { type OpenApi, shownDocument } from './shown-document';

const { authorization } = readPageData<{ authorization: string | null }>();

const reply = await fetch('/openapi.json');
const spec = (await reply.json()) as OpenApi;

const ui = SwaggerUIBundle({
  domNode: pageElement(),
  spec: shownDocument(spec, location.origin),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    if (authorization) ui.preauthorizeApiKey('bearer', authorization.replace(/^Bearer /, ''));
  },
});

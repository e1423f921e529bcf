import SwaggerUIBundle, { type Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { pageElement, readPageData } from './page-data';
import { type OpenApi, shownDocument } from './shown-document';

const { authorization } = readPageData<{ authorization: string | null }>();

const reply = await fetch('/openapi.json');
const spec = (await reply.json()) as OpenApi;

/** Does not send empty form fields unless the reader ticks "send empty value"; Swagger UI sends them by default. */
const emptyFieldsAreLeftOut: Plugin = () => ({
  wrapComponents: {
    ParameterIncludeEmpty:
      (original, { React }) =>
      (properties) =>
        React.createElement(original, {
          ...properties,
          isIncludedOptions: { ...(properties.isIncludedOptions as object), defaultValue: false },
        }),
  },
});

/** Swagger UI has a dark dress, and puts it on only when told. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', dress);
dress();

const ui = SwaggerUIBundle({
  domNode: pageElement(),
  spec: shownDocument(spec, location.origin),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  persistAuthorization: false,
  plugins: [emptyFieldsAreLeftOut],
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    if (authorization) ui.preauthorizeApiKey('bearer', authorization.replace(/^Bearer /, ''));
  },
});

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

/**
 * The name of an operation as text: as a link it would lie within the button that opens the operation, where a screen reader
 * does not say it. The button puts the operation's address into the location bar just as well.
 */
const namesAreNoLinks: Plugin = () => ({
  wrapComponents: {
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

/** Swagger UI has a dark dress, and puts it on only when told. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', dress);
dress();

/** Says to those who have the page read to them what Swagger UI leaves unsaid, whenever it has drawn. */
function name(): void {
  document.getElementById('servers')?.setAttribute('aria-label', 'Server');
  document.querySelector('.information-container')?.setAttribute('role', 'banner');
  const schemes = document.querySelector('.scheme-container');
  schemes?.setAttribute('role', 'region');
  schemes?.setAttribute('aria-label', 'Server and token');
  // Its headings begin with the title's, and then leave one out.
  for (const level of [3, 4])
    for (const heading of document.querySelectorAll(`.swagger-ui h${level}`))
      heading.setAttribute('aria-level', String(level - 1));
}
new MutationObserver(name).observe(pageElement(), { childList: true, subtree: true });

const ui = SwaggerUIBundle({
  domNode: pageElement(),
  spec: shownDocument(spec, location.origin),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  persistAuthorization: false,
  plugins: [emptyFieldsAreLeftOut, namesAreNoLinks],
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    if (authorization) ui.preauthorizeApiKey('bearer', authorization.replace(/^Bearer /, ''));
  },
});

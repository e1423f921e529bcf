import SwaggerUIBundle, { type Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { pageElement, readPageData } from './page-data';
import { type OpenApi, shownDocument } from './shown-document';

const { authorization } = readPageData<{ authorization: string | null }>();

/** The document to show; null where the gateway does not hand it out now. */
async function readDocument(): Promise<OpenApi | null> {
  try {
    const reply = await fetch('./openapi.json');
    return reply.ok ? ((await reply.json()) as OpenApi) : null;
  } catch {
    return null;
  }
}

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

/** The name of an operation as text: within the button that opens the operation, a screen reader does not say a link. */
const namesAreNoLinks: Plugin = () => ({
  wrapComponents: {
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

/** The dialog for a token as one of the browser, which keeps the keys in it and gives the focus back when it closes. */
const authorizationIsADialog: Plugin = () => {
  let opened: HTMLDialogElement | null = null;
  const openOrClose = (dialog: HTMLDialogElement | null): void => {
    opened?.close();
    opened = dialog;
    dialog?.showModal();
    // Otherwise the focus would be on the button that closes it.
    dialog?.querySelector('input')?.focus();
  };
  return {
    wrapComponents: {
      authorizationPopup:
        (original, { React }) =>
        (properties) => {
          const { showDefinitions } = properties.authActions as { showDefinitions: (shown: false) => void };
          return React.createElement(
            'dialog',
            {
              ref: openOrClose,
              'aria-label': 'Available authorizations',
              // The browser closes it too, as by the key of a telephone that leads back. Swagger UI would take it for open.
              onClose: () => showDefinitions(false),
            },
            React.createElement(original, properties),
          );
        },
    },
  };
};

/** Swagger UI has a dark dress, and puts it on only when told. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', dress);
dress();

/** Names for screen readers what Swagger UI leaves without a name, each time that it has drawn. */
function name(): void {
  document.getElementById('servers')?.setAttribute('aria-label', 'Server');
  document.querySelector('.information-container')?.setAttribute('role', 'banner');
  const schemes = document.querySelector('.scheme-container');
  schemes?.setAttribute('role', 'region');
  schemes?.setAttribute('aria-label', 'Server and token');
  for (const select of document.querySelectorAll('.examples-select-element'))
    select.setAttribute('aria-label', 'Examples');
  document.querySelector('.close-modal')?.setAttribute('aria-label', 'Close');
  // These have words of their own, which people who steer by voice say.
  for (const named of document.querySelectorAll('.auth-container [aria-label]'))
    named.removeAttribute('aria-label');
  // As a region it would be no table for them, and two open operations would have regions of the same name.
  for (const table of document.querySelectorAll('.responses-table[role]')) table.removeAttribute('role');
  // What is too wide or too long scrolls, and must do so with the keys, too.
  for (const sample of document.querySelectorAll('pre.microlight, .renderedMarkdown pre > code'))
    sample.setAttribute('tabindex', '0');
  // After the level of its title Swagger UI leaves one out.
  for (const [tag, level] of Object.entries({ h3: 2, h4: 3, h5: 4, h6: 4 }))
    for (const heading of document.querySelectorAll(`.swagger-ui ${tag}`))
      heading.setAttribute('aria-level', String(level));
}

function draw(spec: OpenApi): void {
  new MutationObserver(name).observe(pageElement(), { childList: true, subtree: true });
  const ui = SwaggerUIBundle({
    domNode: pageElement(),
    spec: shownDocument(spec, new URL('.', location.href).href.replace(/\/$/, '')),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    persistAuthorization: false,
    plugins: [emptyFieldsAreLeftOut, namesAreNoLinks, authorizationIsADialog],
    syntaxHighlight: { activated: true, theme: 'obsidian' },
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => {
      if (authorization) ui.preauthorizeApiKey('bearer', authorization.replace(/^Bearer /, ''));
    },
  });
}

/** Without a word the page would stay empty. */
function sayWhatIsMissing(): void {
  pageElement().innerHTML = `<main class="fallback">
    <h1>REST reference</h1>
    <p role="alert">It cannot be shown: it is drawn from <a href="./openapi.json">openapi.json</a>, which the gateway does not
      hand out at the moment. Load the page again in a while.</p>
    <p><a href="./contract">The contract</a> does not need it.</p>
  </main>`;
}

const spec = await readDocument();
if (spec) draw(spec);
else sayWhatIsMissing();

import SwaggerUIBundle, { type Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { pageElement, readPageData } from './page-data';
import { type OpenApi, displayedDocument } from './displayed-document';

const { authorization } = readPageData<{ authorization: string | null }>();

/** By default, Swagger UI sends empty form fields. */
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

/** The parts of Swagger UI's Immutable.js collections that the filter uses. */
interface ImmutableCollection {
  size: number;
  get(key: string): ImmutableCollection;
  getIn(path: string[]): string;
  map(change: (element: ImmutableCollection) => ImmutableCollection): ImmutableCollection;
  filter(keeps: (element: ImmutableCollection) => boolean): ImmutableCollection;
  update(key: string, change: (value: ImmutableCollection) => ImmutableCollection): ImmutableCollection;
}

/** By default, the filter only compares the names of groups. */
const filterFindsPathsAndSummaries: Plugin = () => ({
  fn: {
    opsFilter(groups: ImmutableCollection, phrase: string): ImmutableCollection {
      const isFound = (operation: ImmutableCollection) =>
        `${operation.getIn(['path'])} ${operation.getIn(['operation', 'summary'])}`
          .toLowerCase()
          .includes(phrase.toLowerCase());
      return groups
        .map((group) => group.update('operations', (operations) => operations.filter(isFound)))
        .filter((group) => group.get('operations').size > 0);
    },
  },
});

/** Screen readers don't announce a link inside the button that opens an operation. */
const namesAreNoLinks: Plugin = () => ({
  wrapComponents: {
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text as string),
  },
});

/** The browser keeps the keyboard focus inside an open `<dialog>`, and puts the focus back when the dialog closes. */
const authorizationIsADialog: Plugin = () => {
  let opened: HTMLDialogElement | null = null;
  const openOrClose = (dialog: HTMLDialogElement | null): void => {
    opened?.close();
    opened = dialog;
    dialog?.showModal();
    // By default the close button gets the focus.
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
              // The browser can close the dialog itself, for example with a phone's back button.
              onClose: () => showDefinitions(false),
            },
            React.createElement(original, properties),
          );
        },
    },
  };
};

/** Swagger UI has a dark mode but does not follow the system setting. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', dress);
dress();

/** Fixes what Swagger UI gets wrong for screen readers and keyboards. */
function name(): void {
  document.getElementById('servers')?.setAttribute('aria-label', 'Server');
  document.querySelector('.information-container')?.setAttribute('role', 'banner');
  document.querySelector('.filter-container')?.setAttribute('role', 'search');
  for (const attribute of ['aria-label', 'placeholder'])
    document.querySelector('.operation-filter-input')?.setAttribute(attribute, 'Filter by path or summary');
  const schemes = document.querySelector('.scheme-container');
  schemes?.setAttribute('role', 'region');
  schemes?.setAttribute('aria-label', 'Server and token');
  for (const select of document.querySelectorAll('.examples-select-element'))
    select.setAttribute('aria-label', 'Examples');
  document.querySelector('.close-modal')?.setAttribute('aria-label', 'Close');
  // People who use voice control say the visible text, which differs from these labels.
  for (const named of document.querySelectorAll('.auth-container [aria-label]'))
    named.removeAttribute('aria-label');
  // With the role `region`, screen readers do not see a table, and two open operations have regions of the same name.
  for (const table of document.querySelectorAll('.responses-table[role]')) table.removeAttribute('role');
  // Only focusable samples scroll with the keyboard.
  for (const sample of document.querySelectorAll('pre.microlight, .renderedMarkdown pre > code'))
    sample.setAttribute('tabindex', '0');
  // Swagger UI skips a heading level after its title.
  for (const [tag, level] of Object.entries({ h3: 2, h4: 3, h5: 4, h6: 4 }))
    for (const heading of document.querySelectorAll(`.swagger-ui ${tag}`))
      heading.setAttribute('aria-level', String(level));
}

function draw(spec: OpenApi): void {
  new MutationObserver(name).observe(pageElement(), { childList: true, subtree: true });
  const ui = SwaggerUIBundle({
    domNode: pageElement(),
    spec: displayedDocument(spec, new URL('.', location.href).href.replace(/\/$/, '')),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    filter: true,
    persistAuthorization: false,
    plugins: [emptyFieldsAreLeftOut, filterFindsPathsAndSummaries, namesAreNoLinks, authorizationIsADialog],
    syntaxHighlight: { activated: true, theme: 'obsidian' },
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => {
      if (authorization) ui.preauthorizeApiKey('bearer', authorization.replace(/^Bearer /, ''));
    },
  });
}

function sayWhatIsMissing(): void {
  pageElement().innerHTML = `<main class="fallback">
    <h1>REST reference</h1>
    <p role="alert">The reference cannot be shown: the gateway does not serve
      <a href="./openapi.json">openapi.json</a> at the moment. Reload the page in a while.</p>
    <p><a href="./contract">The contract</a> works without it.</p>
  </main>`;
}

const spec = await fetch('./openapi.json')
  .then((reply) => (reply.ok ? (reply.json() as Promise<OpenApi>) : null))
  .catch(() => null);
if (spec) draw(spec);
else sayWhatIsMissing();

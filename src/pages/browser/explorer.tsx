import { type Fetcher, StorageAPI } from '@graphiql/toolkit';
import { ToolbarButton, useEditorContext } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { buildSchema, type ExecutionResult } from 'graphql';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { copy } from './dom';
import { addSearch } from './search';
import './site.css';
import './explorer.css';
import { pageElement, readPageData } from './page-data';

interface ExampleTab {
  document: string;
  variables: Record<string, unknown>;
}

interface ExplorerData {
  tabs: [ExampleTab, ...ExampleTab[]];
  newTab: string;
  authorization: string | null;
}

const fetcher: Fetcher = async (operation, options) => {
  // On a narrow screen, the result is below the editors.
  document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' });
  const reply = await fetch('./graphql', {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...filled(options?.headers),
    },
    body: JSON.stringify(operation),
  });
  const result = (await reply.json()) as ExecutionResult<
    Record<string, unknown>,
    { cost?: Cost; rateLimit?: RateLimit }
  >;
  showCost(result.extensions ?? {});
  return result;
};

interface Cost {
  units: number;
}

interface RateLimit {
  limit: number;
  remaining: number;
}

let showCost: (extensions: { cost?: Cost; rateLimit?: RateLimit }) => void = () => undefined;

/** The cost of the last operation, and the rest of the quota. */
function CostBadge() {
  const [text, setText] = useState('');
  useEffect(() => {
    showCost = ({ cost, rateLimit }) =>
      setText(
        cost && rateLimit
          ? `Cost ${cost.units}, ${rateLimit.remaining} of ${rateLimit.limit} left this second`
          : '',
      );
  }, []);
  return <span role="status">{text}</span>;
}

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const asCurl = (query: string, variables: unknown): string =>
  [
    `curl -sS ${new URL('./graphql', location.href).href}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellText(JSON.stringify({ query, variables }))}`,
  ].join(' \\\n  ');

/** Copies the operation as a call without the token. */
function CopyAsCurl() {
  const { queryEditor, variableEditor } = useEditorContext({ nonNull: true });
  const copyCurl = () => {
    const variables: unknown = JSON.parse(variableEditor?.getValue().trim() || '{}');
    void copy(asCurl(queryEditor?.getValue() ?? '', variables));
  };
  return (
    <ToolbarButton label="Copy as curl" onClick={copyCurl}>
      <span className="letters">curl</span>
    </ToolbarButton>
  );
}

/** Kept by the browser, unlike the reply to an introspection query. */
const schema = await fetch('./schema.graphql')
  .then(async (reply) => (reply.ok ? buildSchema(await reply.text()) : undefined))
  .catch(() => undefined);

/** Drops the placeholder token: an invalid token would block even introspection. */
const filled = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== placeholder));

const { tabs, newTab, authorization } = readPageData<ExplorerData>();
const placeholder = 'Bearer <ACCESS_TOKEN>';
const headers = JSON.stringify({ Authorization: authorization ?? placeholder }, null, 2);

const defaultTabs = tabs.map(({ document, variables }) => ({
  query: document,
  variables: JSON.stringify(variables, null, 2),
  headers,
}));
const opened = keptTab() ?? defaultTabs[0];

/** The tab that was active last time; undefined on the first visit or if the stored state is damaged. */
function keptTab(): { query: string | null; variables: string | null } | undefined {
  try {
    const { tabs: keptTabs, activeTabIndex } = JSON.parse(new StorageAPI().get('tabState') ?? '{}') as {
      tabs: { query: string | null; variables: string | null }[];
      activeTabIndex: number;
    };
    return keptTabs[activeTabIndex];
  } catch {
    return undefined;
  }
}

const [tabsKey, ...historyKeys] = ['graphiql:tabState', 'graphiql:queries', 'graphiql:favorites'];

/**
 * Browser storage for GraphiQL. The history would store the token with the headers: stores it without, and restores it with the headers
 * of this page. Ignores damaged lists, which would stop GraphiQL.
 */
const storage = {
  get length() {
    return localStorage.length;
  },
  clear: () => localStorage.clear(),
  removeItem: (key: string) => localStorage.removeItem(key),
  getItem: (key: string) => {
    try {
      return rewritten(key, localStorage.getItem(key) ?? '', headers);
    } catch {
      return null;
    }
  },
  setItem: (key: string, value: string) => localStorage.setItem(key, rewritten(key, value)),
};

function rewritten(key: string, value: string, displayedHeaders?: string): string {
  if (key === tabsKey && value !== '') JSON.parse(value);
  if (!historyKeys.includes(key) || value === '') return value;
  const lists = JSON.parse(value) as Record<string, object[]>;
  for (const items of Object.values(lists))
    for (const item of items) Object.assign(item, { headers: displayedHeaders });
  return JSON.stringify(lists);
}

// GraphiQL takes these keys only in its editors, and marks them as handled.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  document.querySelector<HTMLButtonElement>('.graphiql-execute-button')?.click();
});

addSearch();
describe(pageElement());
createRoot(pageElement()).render(
  <GraphiQL
    fetcher={fetcher}
    {...(schema && { schema })}
    storage={storage}
    defaultTabs={defaultTabs}
    // GraphiQL fills its editors only from these values, and activates the tab with the same values.
    query={opened?.query ?? ''}
    variables={opened?.variables ?? ''}
    defaultQuery={newTab}
    // For new and restored tabs: GraphiQL stores tabs without headers.
    defaultHeaders={headers}
    shouldPersistHeaders={false}
    defaultEditorToolsVisibility="variables"
  >
    <GraphiQL.Logo>
      <CostBadge />
    </GraphiQL.Logo>
    <GraphiQL.Toolbar>
      {({ merge, prettify, copy }) => (
        <>
          {prettify}
          {merge}
          {copy}
          <CopyAsCurl />
        </>
      )}
    </GraphiQL.Toolbar>
    <GraphiQL.Footer>
      Press ▶ or Ctrl+Enter (⌘+Enter on a Mac) to run the operation. The result appears here.
    </GraphiQL.Footer>
  </GraphiQL>,
);

interface Editor extends Element {
  CodeMirror: { addKeyMap: (keys: object, isLast: boolean) => void; removeKeyMap: (keys: object) => void };
}

/** The editors would take these keys, and hold the focus of people without a mouse. */
const passedOn = { Tab: false, 'Shift-Tab': false };

/** Fixes what GraphiQL gets wrong for screen readers and keyboards. */
function describe(page: HTMLElement): void {
  const rename = (): void => {
    for (const field of page.querySelectorAll('.CodeMirror textarea'))
      field.setAttribute('aria-label', field.closest('section')?.ariaLabel ?? 'Editor');
    for (const { CodeMirror: editor } of page.querySelectorAll<Editor>('.CodeMirror')) {
      editor.removeKeyMap(passedOn);
      // Last, because Tab takes a suggestion while suggestions are shown.
      editor.addKeyMap(passedOn, true);
    }
    // Only a focusable result scrolls with the keyboard.
    for (const scrolling of page.querySelectorAll('.CodeMirror-scroll'))
      scrolling.setAttribute('tabindex', '0');
    // Tabs become a list: screen readers don't find the close button inside a tab.
    for (const list of page.querySelectorAll('.graphiql-tabs[role=tablist]'))
      list.setAttribute('role', 'list');
    for (const item of page.querySelectorAll('.graphiql-tab[role=tab]'))
      item.setAttribute('role', 'listitem');
    for (const item of page.querySelectorAll('.graphiql-tab[aria-selected]')) {
      item.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', item.ariaSelected ?? 'false');
      item.removeAttribute('aria-selected');
    }
  };
  // GraphiQL sets the roles again when a tab is opened or selected.
  new MutationObserver(rename).observe(page, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-selected'],
  });
}

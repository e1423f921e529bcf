import './site.css';

const baseUrl = new URL('.', location.href).href.replace(/\/$/, '');
const data = document.getElementById('page-data')?.textContent;
const { authorization = null } = (data ? JSON.parse(data) : {}) as { authorization?: string | null };
const token = authorization?.replace(/^Bearer /, '');

const all = <E extends Element>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
];

/** Samples name the gateway and the token as this page knows them. */
function fillSamples(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (node.textContent?.includes('$BASE_URL'))
      node.textContent = node.textContent.replaceAll('$BASE_URL', baseUrl);
  if (!token) return;
  for (const input of all<HTMLInputElement>('[data-in=token]')) input.value = token;
  const note = document.getElementById('token-note');
  if (note) note.textContent = 'The token is filled into the forms, and into what you copy.';
}

function addCopyButtons(): void {
  for (const pre of all<HTMLPreElement>('pre')) {
    if (pre.hidden) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const text = (pre.textContent ?? '').replace('$TOKEN', token ?? '$TOKEN');
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 1_500);
      });
    });
    const wrap = document.createElement('div');
    wrap.className = 'sample';
    pre.replaceWith(wrap);
    wrap.append(pre, button);
  }
}

/** Arrow keys move between tabs, as the ARIA pattern says. */
function makeTabs(): void {
  for (const list of all('[role=tablist]')) {
    const tabs = all<HTMLButtonElement>('[role=tab]', list);
    const select = (chosen: HTMLButtonElement) => {
      for (const tab of tabs) {
        tab.ariaSelected = String(tab === chosen);
        tab.tabIndex = tab === chosen ? 0 : -1;
        document.getElementById(tab.getAttribute('aria-controls') ?? '')!.hidden = tab !== chosen;
      }
    };
    for (const [index, tab] of tabs.entries()) {
      tab.addEventListener('click', () => select(tab));
      tab.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = step && tabs.at((index + step) % tabs.length);
        if (!next) return;
        select(next);
        next.focus();
      });
    }
    select(tabs[0]!);
  }
}

const mostFound = 30;

/** Finds headings, statements, fields and codes of this page. */
function addSearch(contents: Element): void {
  const input = Object.assign(document.createElement('input'), {
    type: 'search',
    placeholder: 'Search this page ( / )',
  });
  input.ariaLabel = 'Search this page';
  const found = Object.assign(document.createElement('ul'), { className: 'found' });
  found.ariaLive = 'polite';
  contents.prepend(input, found);
  const places: { id: string; text: string }[] = [];
  let id = '';
  // A text without an id of its own is found at the last id before it.
  for (const place of all('main :is([id], h1, h2, h3, h4, p, li, tr, pre)')) {
    id = place.id || (place.querySelector(':scope > a[id]')?.id ?? id);
    const text = (place.textContent ?? '').replace(/\s+/g, ' ').trim();
    if (!place.matches('a') && id !== '') places.push({ id, text });
  }
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = places.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
    const isNamed = ({ id, text }: { id: string; text: string }) =>
      id.toLowerCase().endsWith(words[0] ?? '') || text.toLowerCase().startsWith(`${words[0]} `);
    // What has the word for a name comes first, and then the shortest text, which says most about the words.
    const best = hits
      .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || a.text.length - b.text.length)
      .slice(0, words.length > 0 ? mostFound : 0);
    found.replaceChildren(
      ...best.map(({ id, text }) => {
        const link = Object.assign(document.createElement('a'), {
          href: `#${id}`,
          textContent: text.length > 90 ? `${text.slice(0, 90).replace(/\s\S*$/, '')} …` : text,
        });
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
      ...(words.length > 0 && best.length === 0 ? ['Nothing found.'] : []),
    );
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') found.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as Element).matches('input, select, textarea')) return;
    event.preventDefault();
    input.focus();
  });
}

/** Marks the chapter that one is in. */
function followChapters(contents: Element): void {
  const links = new Map(
    all<HTMLAnchorElement>('a[href^="#"]', contents).map((link) => [link.hash.slice(1), link]),
  );
  const targets = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const mark = () => {
    const passed = targets.filter((target) => target.getBoundingClientRect().top < 120);
    const current = passed.at(-1) ?? targets[0];
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** Sends the form of an operation, and shows the reply. Empty fields are left out. */
async function send(form: HTMLFormElement): Promise<void> {
  const { method = 'GET', path = '', type } = form.dataset;
  const inputs = all<HTMLInputElement>('[data-in]:is(:not([type=checkbox]), :checked)', form);
  const values = inputs.filter(({ value }) => value !== '');
  const of = (place: string) => values.filter(({ dataset }) => dataset.in === place);
  const url = of('path').reduce(
    (at, { name, value }) => at.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]));
  const headers: Record<string, string> = Object.fromEntries(
    of('header').map(({ name, value }) => [name, value]),
  );
  for (const { value } of of('token')) headers.Authorization = `Bearer ${value}`;
  let body: FormData | string | undefined;
  if (type?.startsWith('multipart')) {
    body = new FormData();
    for (const { name, value, files } of of('body')) body.append(name, files?.[0] ?? value);
  } else if (type) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(Object.fromEntries(of('body').map(({ name, value }) => [name, value])));
  }
  const output = form.querySelector('output')!;
  const pre = form.querySelector('pre')!;
  output.textContent = 'Sending …';
  const startedMs = performance.now();
  const show = (status: string, text: string) => {
    output.textContent = status;
    pre.hidden = false;
    pre.firstElementChild!.textContent = text;
  };
  try {
    const reply = await fetch(`.${url}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers,
      ...(body && { body }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json');
    const ownHeaders = [...reply.headers].filter(([name]) =>
      /^(etag|preference|rate|idem|job|retry)/.test(name),
    );
    const head = ownHeaders.map(([name, value]) => `${name}: ${value}`).join('\n');
    const tookMs = Math.round(performance.now() - startedMs);
    show(
      `${reply.status} ${reply.statusText}, ${tookMs} ms`,
      `${head}\n\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`.trimStart(),
    );
  } catch {
    show('No reply: the gateway cannot be reached.', '');
  }
}

fillSamples();
makeTabs();
addCopyButtons();
const contents = document.querySelector('.contents');
if (contents) {
  addSearch(contents);
  followChapters(contents);
}
for (const form of all<HTMLFormElement>('.try form'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });

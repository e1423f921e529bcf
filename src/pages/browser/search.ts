import { element } from './dom.js';

/** Set by the build: the file beside this script that has the texts of all pages. */
declare const searchIndex: string;

type FoundText = [page: string, id: string, headline: string, text: string];

const names: Record<string, string> = {
  errors: 'Errors',
  docs: 'REST',
  contract: 'Contract',
  client: 'Client',
  handbook: 'Operate',
  changelog: 'Changes',
};

const mostFound = 20;
const root = new URL('../', import.meta.url);

let index: Promise<FoundText[]> | undefined;
const readIndex = () =>
  (index ??= fetch(new URL(searchIndex, import.meta.url))
    .then((reply) => reply.json() as Promise<FoundText[]>)
    .catch(() => ((index = undefined), [])));

/** Texts named by the first word come first, and then the shortest text, which says most about the words. */
function find(texts: readonly FoundText[], words: readonly string[]): FoundText[] {
  const [first = ''] = words;
  const rank = ([, id, , text]: FoundText) => {
    const name = id.slice(id.lastIndexOf('.') + 1).toLowerCase();
    if (name === first) return 0;
    return text.toLowerCase().startsWith(first) ? 1 : 2;
  };
  return texts
    .filter(([, , headline, text]) => {
      const whole = `${headline} ${text}`.toLowerCase();
      return (
        words.every((word) => whole.includes(word)) && words.some((word) => text.toLowerCase().includes(word))
      );
    })
    .sort((one, other) => rank(one) - rank(other) || one[3].length - other[3].length)
    .slice(0, mostFound);
}

/** Some words before the first match and many after it, with every match marked. */
function excerpt(text: string, words: readonly string[]): (Node | string)[] {
  const first = text.toLowerCase().indexOf(words.find((word) => text.toLowerCase().includes(word)) ?? '');
  const start = first > 60 ? text.indexOf(' ', first - 40) + 1 : 0;
  const end = start + 160 < text.length ? text.lastIndexOf(' ', start + 160) : text.length;
  const cut = `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, start + 40))}${end < text.length ? ' …' : ''}`;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return cut
    .split(new RegExp(`(${escaped.join('|')})`, 'i'))
    .map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part));
}

/** Adds a search over all pages to the head of the page: Ctrl+K or / opens it, and arrow keys move in what it finds. */
export function addSearch(): void {
  const input = element('input', {
    type: 'search',
    placeholder: 'Search all pages',
    ariaLabel: 'Search all pages',
  });
  const status = element('p', { role: 'status' });
  const list = element('ul');
  const dialog = element('dialog', { className: 'search', ariaLabel: 'Search' }, input, status, list);
  const button = element(
    'button',
    { type: 'button', className: 'search-button' },
    'Search ',
    element('kbd', {}, 'Ctrl K'),
  );
  const show = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
    void readIndex();
  };
  const search = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = await readIndex();
    const found = words.length > 0 ? find(texts, words) : [];
    const nothing = texts.length > 0 ? 'Nothing found.' : 'The gateway cannot be reached.';
    status.textContent = words.length > 0 && found.length === 0 ? nothing : '';
    list.replaceChildren(
      ...found.map(([page, id, headline, text]) => {
        const place = [names[page] ?? page, ...(headline === text ? [] : [headline])].join(' › ');
        const href = `${root.href}${page}#${id}`;
        return element(
          'li',
          {},
          element('a', { href }, element('small', {}, place), ...excerpt(text, words)),
        );
      }),
    );
  };
  button.addEventListener('click', show);
  input.addEventListener('input', () => void search());
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    const places = [input, ...list.querySelectorAll('a')];
    const at = places.findIndex((place) => place === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && at === 0) places[1]?.click();
    if (!step) return;
    event.preventDefault();
    places.at((at + step) % places.length)?.focus();
  });
  addEventListener(
    'keydown',
    (event) => {
      const isTyping = (event.target as Element).matches('input, select, textarea, [contenteditable]');
      const isAsked =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
      if (!isAsked) return;
      event.preventDefault();
      show();
    },
    { capture: true },
  );
  document.querySelector('.site')?.append(button, dialog);
}

import { all, copy, element, tried } from './dom.js';
import { addSearch } from './search.js';
import './site.css';
import { prepare } from './trial.js';

const baseUrl = new URL('.', location.href).href.replace(/\/$/, '');
const data = document.getElementById('page-data')?.textContent;
const { authorization = null } = (data ? JSON.parse(data) : {}) as { authorization?: string | null };
const token = authorization?.replace(/^Bearer /, '');

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
  for (const pre of all<HTMLPreElement>('pre:not(.request, .reply)')) {
    const button = element('button', { type: 'button' }, 'Copy');
    button.addEventListener('click', () => {
      void copy((pre.textContent ?? '').replaceAll('$TOKEN', token ?? '$TOKEN')).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 1_500);
      });
    });
    const wrap = element('div', { className: 'sample' });
    pre.replaceWith(wrap);
    wrap.append(pre, button);
  }
}

/** The name of a chapter or field is a link to it, and copies its address. */
function copyAnchors(): void {
  for (const link of all<HTMLAnchorElement>(
    'main :is(h2, h3, dt) > a[href^="#"], main li > a[id][href^="#"]',
  )) {
    link.title = 'Copy the link';
    link.addEventListener('click', () => void copy(link.href));
  }
}

/** Shows the panel of the tab with this name. A list without such a tab stays as it is. */
function select(list: HTMLElement, name: string | null): void {
  const tabs = all<HTMLButtonElement>('[role=tab]', list);
  if (!tabs.some(({ textContent }) => textContent === name)) return;
  for (const tab of tabs) {
    const isChosen = tab.textContent === name;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls') ?? '')!.hidden = !isChosen;
  }
}

/** Arrow keys move between tabs, as the ARIA pattern says. A choice holds for all lists of its group, and for later visits. */
function makeTabs(): void {
  for (const list of all('[role=tablist]')) {
    const { group } = list.dataset;
    const tabs = all<HTMLButtonElement>('[role=tab]', list);
    const choose = ({ textContent }: HTMLButtonElement) => {
      const { top } = list.getBoundingClientRect();
      for (const each of group ? all(`[data-group=${group}]`) : [list]) select(each, textContent);
      if (group) tried(() => localStorage.setItem(`tab-${group}`, textContent));
      // Panels above can have changed their height.
      scrollBy(0, list.getBoundingClientRect().top - top);
    };
    for (const [index, tab] of tabs.entries()) {
      tab.addEventListener('click', () => choose(tab));
      tab.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = step && tabs.at((index + step) % tabs.length);
        if (!next) return;
        choose(next);
        next.focus();
      });
    }
    select(list, tabs[0]!.textContent);
    if (group)
      select(
        list,
        tried(() => localStorage.getItem(`tab-${group}`)),
      );
  }
}

/** Marks the chapter that one is in, and scrolls the contents to it. */
function followChapters(contents: Element): void {
  const links = new Map(
    all<HTMLAnchorElement>('a[href^="#"]', contents).map((link) => [link.hash.slice(1), link]),
  );
  const targets = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let current: Element | undefined;
  const mark = () => {
    const chapter = targets.filter((target) => target.getBoundingClientRect().top < 120).at(-1) ?? targets[0];
    if (!chapter || chapter === current) return;
    links.get(current?.id ?? '')?.removeAttribute('aria-current');
    current = chapter;
    const link = links.get(chapter.id)!;
    link.setAttribute('aria-current', 'true');
    // Not `scrollIntoView`, which would scroll the page too.
    const { top, bottom } = contents.getBoundingClientRect();
    const place = link.getBoundingClientRect();
    if (place.top < top || place.bottom > bottom) contents.scrollTop += place.top - (top + bottom) / 2;
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** On a narrow screen, the contents are closed until asked for, and close behind who follows a link. */
function closeContents(contents: Element): void {
  const isNarrow = matchMedia('(max-width: 59.99rem)');
  const details = contents.querySelector('details')!;
  const follow = () => (details.open = !isNarrow.matches);
  isNarrow.addEventListener('change', follow);
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) follow();
  });
  follow();
  contents.classList.add('follows');
}

fillSamples();
makeTabs();
addCopyButtons();
copyAnchors();
addSearch();
const contents = document.querySelector('.contents');
if (contents) {
  closeContents(contents);
  followChapters(contents);
}
all<HTMLDetailsElement>('.try').forEach(prepare);

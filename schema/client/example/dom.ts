import { readRefusal } from 'recruitment-gateway-client';
import { text } from './texts';

type Tags = HTMLElementTagNameMap;

/** Makes an element, such as `h('p.soft', { hidden: true }, 'text')`. */
export function h<Tag extends keyof Tags>(
  tag: Tag | `${Tag}.${string}`,
  ...parts: (Node | string | object)[]
): Tags[Tag] {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name as Tag);
  element.classList.add(...classes);
  for (const part of parts) {
    if (part instanceof Node || typeof part === 'string') element.append(part);
    else Object.assign(element, part);
  }
  return element;
}
export const card = (title: string, ...parts: (Node | string)[]) =>
  h('section.card', h('h2', title), ...parts);
export const one = (id: string): HTMLElement => document.getElementById(id) ?? document.body;
export const tell = (sentence: string) => void (one('toast').textContent = sentence);

export const messageOf = (failure: unknown) => readRefusal(failure)?.message ?? String(failure);

/** Shows a failure that has no place of its own. */
export const run = (action: Promise<unknown>) =>
  void action.catch((failure: unknown) => tell(messageOf(failure)));

const newest = new WeakMap<HTMLElement, object>();

/**
 * Fills a place with what the work finds. Meanwhile, an empty place shows a skeleton. A failure stands in the place, with a button that tries
 * again. What an older call finds is dropped.
 */
export async function load(place: HTMLElement, work: () => Promise<(Node | string)[]>): Promise<void> {
  const own = {};
  newest.set(place, own);
  place.ariaBusy = 'true';
  const part = place.matches('ul, ol') ? 'li' : 'div';
  if (place.children.length === 0) place.append(...[1, 2, 3].map(() => h(`${part}.bone`)));
  const found = await work().catch((failure: unknown) => {
    const onclick = () => (place.replaceChildren(), void load(place, work));
    const retry = h('button', { type: 'button', onclick }, text('retry'));
    return [h(`${part}.failed`, h('span', { role: 'alert' }, messageOf(failure)), retry)];
  });
  if (newest.get(place) !== own) return;
  place.ariaBusy = 'false';
  place.replaceChildren(...found);
}

import { readRefusal } from 'recruitment-gateway-client';

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

/** Shows a failure that no form shows. */
export const run = (action: Promise<unknown>) =>
  void action.catch((failure: unknown) => tell(readRefusal(failure)?.message ?? String(failure)));

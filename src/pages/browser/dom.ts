/** All elements that match, as an array. */
export const all = <E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E[] => [...within.querySelectorAll<E>(selector)];

/** A new element with properties and children. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** Browsers have `navigator.clipboard` only over HTTPS and on their own machine, and can refuse its use. */
export async function copy(text: string): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', { value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/** Null if it throws, as `localStorage` does where the browser keeps nothing of a site. */
export function tried<Value>(use: () => Value): Value | null {
  try {
    return use();
  } catch {
    return null;
  }
}

import { h } from './dom';
import { text } from './texts';

/** An input with what stands around it. `show` puts a stored value into it. */
export interface Control {
  input: HTMLElement;
  parts: Node[];
  show: (value: unknown) => void;
}

interface Given {
  mayEdit: boolean;
  set: (value: unknown) => void;
}

const listOf = (value: unknown) => [value ?? []].flat().map(String);

/** Addresses, each with a button that removes it. An address that is being typed counts already. */
export function chips({ mayEdit, set }: Given): Control {
  let values: string[] = [];
  const list = h('span.chips');
  const input = h('input', { type: 'text', inputMode: 'email', disabled: !mayEdit });
  const typed = () => input.value.split(/[\s;,]+/).filter(Boolean);
  const change = (next: string[]) => set(next.length > 0 ? next : '');
  const remove = (at: number) => change([...values.filter((_, index) => index !== at), ...typed()]);
  function show(value: unknown): void {
    const all = listOf(value);
    if (!typed().every((each) => all.includes(each))) input.value = '';
    values = all.filter((each) => !typed().includes(each));
    const chip = (value: string, at: number) => {
      const onclick = () => remove(at);
      const ariaLabel = `${text('remove')} ${value}`;
      return h(
        'span.chip',
        value,
        h(
          'button',
          { type: 'button', hidden: !mayEdit, ariaLabel, onclick },
          h('span', { ariaHidden: 'true' }, '×'),
        ),
      );
    };
    list.replaceChildren(...values.map(chip));
  }
  const take = () => {
    const all = [...values, ...typed()];
    input.value = '';
    show(all);
  };
  input.oninput = () => change([...values, ...typed()]);
  input.onchange = take;
  input.onkeydown = (event) => {
    if (event.key === 'Backspace' && input.value === '' && values.length > 0) remove(values.length - 1);
    else if (['Enter', ',', ';'].includes(event.key) && input.value !== '') take();
    else return;
    event.preventDefault();
  };
  return { input, parts: [list, input], show };
}

const tools = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['heading', 'formatBlock', 'h3'],
  ['paragraph', 'formatBlock', 'p'],
  ['bullets', 'insertUnorderedList'],
  ['numbers', 'insertOrderedList'],
  ['link', 'createLink'],
] as const;

/** An editor of the tags that the gateway keeps. A real site takes an editor of its own: the package has recipes for two. */
export function richText({ mayEdit, set }: Given): Control {
  const input = h('div.rich', { contentEditable: String(mayEdit), role: 'textbox', ariaMultiLine: 'true' });
  const isEmpty = () => input.textContent?.trim() === '' && !input.querySelector('li');
  input.oninput = () => set(isEmpty() ? '' : input.innerHTML);
  input.onfocus = () => document.execCommand('defaultParagraphSeparator', false, 'p');
  const tool = ([name, command, value]: (typeof tools)[number]) => {
    const onclick = () => {
      const given = command === 'createLink' ? prompt(text('link'), 'https://') : value;
      if (given !== null) document.execCommand(command, false, given);
    };
    // Pressing a button would take the selection away.
    const onmousedown = (event: Event) => event.preventDefault();
    return h('button', { type: 'button', onclick, onmousedown }, text(name));
  };
  const toolbar = h('span.tools', { role: 'toolbar', hidden: !mayEdit }, ...tools.map(tool));
  return { input, parts: [toolbar, input], show: (value) => void (input.innerHTML = listOf(value).join('')) };
}

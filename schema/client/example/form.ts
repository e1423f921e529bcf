import { readRefusal } from 'recruitment-gateway-client';
import {
  type Edit,
  inputAttributes,
  inputNameOf,
  inputOfHistory,
  lengthOf,
  limitOf,
  sortReferences,
  type Variables,
} from 'recruitment-gateway-client/forms';
import { language, Refused } from './gateway';
import { fieldName, options, shown, text } from './texts';

type Tags = HTMLElementTagNameMap;

/** An element with properties and children. */
export function h<Tag extends keyof Tags>(
  tag: Tag,
  properties: object,
  ...children: (Node | string)[]
): Tags[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const one = (id: string): HTMLElement => document.getElementById(id) ?? document.body;
export const tell = (sentence: string) => void (one('toast').textContent = sentence);

/** A job or a company. */
export interface Editable<Input> {
  type: 'UpdateJobInput' | 'UpdateCompanyInput';
  heading: Node[];
  edit: Edit<Input>;
  ids: { jobPublicId: string } | { mediaPublicId: string; companyPublicId: string };
  sections: [title: Parameters<typeof text>[0], names: string[]][];
  /** The choices of inputs, by name. */
  references: Record<string, { id: string; publicId: string; name: string }[] | null | undefined>;
  mayEdit: boolean;
  update: (variables: Variables<Input>) => Promise<{ input: Input; version: number }>;
  read: () => Promise<{ input: Input; version: number }>;
  history: () => Promise<
    { at: string; actor: string; changes: { field: string; before: unknown; after: unknown }[] }[]
  >;
  onSaved: () => void;
}

export function showForm<Input extends object>(record: Editable<Input>, ...more: Node[]): void {
  const { edit, type, references } = record;
  let faults = new Map<string, string>();
  const optionsOf = (name: string): [string, string][] | null => {
    const { choices, values } = limitOf(type, name);
    if (references[name])
      return sortReferences(references[name], language).map((each) => [each.publicId, each.name]);
    if (values) return values.map((value) => [value, value]);
    return choices === undefined ? null : options(choices as Parameters<typeof options>[0]);
  };
  /** A value in words: the history has the ids of references. */
  const inWords = (name: string, value: unknown): string => {
    const names = [value]
      .flat()
      .map((id) => references[name]?.find((each) => id === each.id || id === each.publicId)?.name);
    return names.every(Boolean) && names.length > 0 ? names.join(', ') : shown(name, value);
  };
  const set = (name: string, value: unknown) => edit.set(name as never, value as never);
  const get = (name: string): unknown => edit.get(name as never);

  const controls = record.sections
    .flatMap(([, names]) => names)
    .map((name) => {
      const given = optionsOf(name);
      const { maximumLength = Infinity, format, required } = limitOf(type, name);
      const isLong = format === 'html' || name === 'salary' || name === 'localisation';
      const counter = h('small', {});
      const alert = h('em', { role: 'alert' });
      const input = given
        ? h(
            'select',
            {},
            ...(name === 'sectorIds' || (required && !name.includes('.')) ? [] : [new Option('', '')]),
            ...given.map(([id, label]) => new Option(label, id)),
          )
        : isLong
          ? h('textarea', { rows: format === 'html' ? 3 : 1 })
          : h('input', inputAttributes(type, name));
      const isList = name === 'sectorIds';
      Object.assign(input, {
        name,
        multiple: isList,
        ...(isList && { size: 6 }),
        required: false,
        disabled: !record.mayEdit,
      });
      input.oninput = () => {
        if (input.validity.badInput) return;
        if (input instanceof HTMLSelectElement && isList)
          set(
            name,
            [...input.selectedOptions].map(({ value }) => value),
          );
        else set(name, format === 'email' && input.value ? [input.value] : input.value);
      };
      const label = h(
        'label',
        { className: format === 'html' ? 'wide' : '' },
        h('span', {}, fieldName(name), counter),
        input,
        alert,
      );
      const refresh = () => {
        const value = get(name);
        if (input instanceof HTMLSelectElement && isList)
          for (const option of input.options) option.selected = [value].flat().includes(option.value);
        else if (document.activeElement !== input || !edit.isDirty)
          input.value = asText(value).slice(0, format === 'date' ? 10 : undefined);
        const length = typeof value === 'string' ? lengthOf(value) : 0;
        counter.textContent = length > maximumLength * 0.8 ? `${length} / ${maximumLength}` : '';
        label.classList.toggle(
          'changed',
          edit.changed.some((field) => field === name.split('.')[0]),
        );
        alert.textContent = faults.get(name) ?? '';
        input.ariaInvalid = String(faults.has(name));
      };
      return { name, label, refresh };
    });

  async function save(isMerged = false): Promise<void> {
    try {
      faults = new Map();
      await edit.save(record.update);
      tell(text(isMerged ? 'merged' : 'saved'));
      await showHistory();
      record.onSaved();
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      const { refusal } = failure;
      faults = new Map(refusal.fields.map(({ path, message }) => [inputNameOf(path), message]));
      if (refusal.error !== 'version-conflict')
        return tell(faults.size > 0 ? text('correct') : failure.message);
      const current = await record.read();
      if (edit.merge(current.input, current.version).length === 0) return save(true);
      tell(text('conflict'));
      await showHistory();
    } finally {
      refresh();
    }
  }

  /** Writes back what was before a change. What the form has changed since stays, or becomes a conflict. */
  async function undo(input: object, lost: string[]): Promise<void> {
    const reply = await record.update({
      input: input as Variables<Input>['input'],
      expectedVersion: edit.version,
    });
    edit.merge(reply.input, reply.version);
    tell(
      [
        text('saved'),
        ...(lost.length > 0 ? [`${text('lost')}: ${lost.map(fieldName).join(', ')}`] : []),
      ].join(' '),
    );
    await showHistory();
    record.onSaved();
  }

  const history = h('ol', { id: 'history' });
  async function showHistory(): Promise<void> {
    const items = (await record.history()).map((entry) => {
      const { input, lost } = inputOfHistory(entry, record.ids);
      const isPossible = record.mayEdit && Object.keys(input).some((name) => !(name in record.ids));
      const changes = entry.changes.map(({ field, before, after }) => {
        const isHidden = before === null && after === null;
        const values = isHidden
          ? [text('hidden')]
          : [h('del', {}, inWords(field, before)), ' → ', inWords(field, after)];
        return h('p', {}, `${fieldName(field)}: `, ...values);
      });
      const button = h(
        'button',
        { type: 'button', disabled: !isPossible, onclick: () => run(undo(input, lost)) },
        text('undo'),
      );
      const when = `${new Date(entry.at).toLocaleString(language)}, ${entry.actor}`;
      return h('li', {}, h('div', { className: 'row' }, h('small', {}, when), button), ...changes);
    });
    history.replaceChildren(...items);
  }

  const panel = h('section', { className: 'card conflict' });
  const status = h('span', {});
  const button = (name: 'save' | 'discard', more: object) => h('button', more, text(name));
  const saveButton = button('save', { className: 'primary' });
  const discardButton = button('discard', {
    type: 'button',
    onclick: () => window.dispatchEvent(new Event('hashchange')),
  });
  function refresh(): void {
    for (const control of controls) control.refresh();
    saveButton.disabled = edit.changed.length === edit.conflicts.length;
    discardButton.disabled = !edit.isDirty;
    const changed = edit.changed.map(fieldName).join(', ');
    status.textContent = changed ? `${text('dirty')}: ${changed}` : text('clean');
    panel.hidden = edit.conflicts.length === 0;
    const choice = (who: 'mine' | 'theirs', field: (typeof edit.changed)[number], value: unknown) =>
      h(
        'button',
        { type: 'button', onclick: () => edit.resolve(field, value) },
        h('small', {}, text(who)),
        h('br', {}),
        inWords(field, value),
      );
    const items = edit.conflicts.map(({ field, mine, theirs }) =>
      h('li', {}, h('b', {}, fieldName(field)), choice('mine', field, mine), choice('theirs', field, theirs)),
    );
    panel.replaceChildren(h('h2', {}, text('conflict')), h('p', {}, text('decide')), h('ul', {}, ...items));
  }
  edit.subscribe(refresh);
  refresh();

  const sections = record.sections.map(([title, names]) =>
    h(
      'section',
      { className: 'card' },
      h('h2', {}, text(title)),
      h(
        'div',
        { className: 'fields' },
        ...controls.filter(({ name }) => names.includes(name)).map(({ label }) => label),
      ),
    ),
  );
  const buttons = h('span', { className: 'row' }, discardButton, saveButton);
  const bar = h('div', { className: 'card bar' }, h('div', { className: 'row' }, status, buttons));
  const form = h(
    'form',
    { noValidate: true, onsubmit: (event: Event) => (event.preventDefault(), run(save())) },
    panel,
    ...sections,
    ...(record.mayEdit ? [bar] : []),
  );
  one('main').replaceChildren(
    ...record.heading,
    ...more,
    form,
    h('section', { className: 'card' }, h('h2', {}, text('history')), history),
  );
  run(showHistory());
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.join('; ') : typeof value === 'string' ? value : '';

/** Shows a failure that no form shows. */
export const run = (action: Promise<unknown>): void => {
  action.catch((failure: unknown) =>
    tell(readRefusal(failure)?.message ?? String(failure instanceof Error ? failure.message : failure)),
  );
};

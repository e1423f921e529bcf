import * as kit from 'recruitment-gateway-client/forms';
import { card, h, one, run, tell } from './dom';
import { language, Refused } from './gateway';
import { fieldName, options, shown, text } from './texts';

/** A job or a company. `references` has the choices of inputs, by name. */
export interface Editable<Input> {
  type: 'UpdateJobInput' | 'UpdateCompanyInput';
  heading: Node[];
  edit: kit.Edit<Input>;
  ids: { jobPublicId: string } | { mediaPublicId: string; companyPublicId: string };
  sections: { title: string; names: string }[];
  references: Record<string, { id: string; publicId: string; name: string }[] | null | undefined>;
  mayEdit: boolean;
  update: (variables: kit.Variables<Input>) => Promise<{ input: Input; version: number }>;
  read: () => Promise<{ input: Input; version: number }>;
  history: () => Promise<Entry[] | undefined>;
  onSaved: () => void;
}
interface Entry {
  at: string;
  actor: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

export function showForm<Input extends object>(record: Editable<Input>, ...more: Node[]): void {
  const { edit, type, references, mayEdit } = record;
  let faults = new Map<string, string>();

  function optionsOf(name: string): HTMLOptionElement[] | null {
    const { choices, values = [], required } = kit.limitOf(type, name);
    const listed = kit
      .sortReferences(references[name] ?? [], language)
      .map((each) => [each.publicId, each.name]);
    const all = [...listed, ...values.map((value) => [value, value]), ...(choices ? options(choices) : [])];
    const isFilled = name === 'sectorIds' || (required && !name.includes('.'));
    return all.length > 0
      ? [...(isFilled ? [] : [['', '']]), ...all].map(([id, label]) => new Option(label, id))
      : null;
  }

  /** A value in words: the history has the ids of references. */
  function inWords(name: string, value: unknown): string {
    const nameOf = (id: unknown) =>
      references[name]?.find((each) => [each.id, each.publicId].includes(String(id)))?.name ?? id;
    return shown(name, Array.isArray(value) ? value.map(nameOf) : nameOf(value));
  }

  function control(name: string) {
    const given = optionsOf(name);
    const { maximumLength = Infinity, format } = kit.limitOf(type, name);
    const [isList, isHtml] = [name === 'sectorIds', format === 'html'];
    const isLong = isHtml || name === 'salary' || name === 'localisation';
    const [counter, alert] = [h('small'), h('em', { role: 'alert' })];
    const input = given
      ? h('select', { multiple: isList, ...(isList && { size: 6 }) }, ...given)
      : isLong
        ? h('textarea', { rows: isHtml ? 3 : 1 })
        : h('input', kit.inputAttributes(type, name));
    const set = (value: unknown) => edit.set(name as never, value as never);
    const chosen = () => [...(input as HTMLSelectElement).selectedOptions].map(({ value }) => value);
    const oninput = () => {
      if (isList) set(chosen());
      else if (!input.validity.badInput) set(format === 'email' && input.value ? [input.value] : input.value);
    };
    Object.assign(input, { name, oninput, required: false, disabled: !mayEdit });
    const label = h('label', h('span', fieldName(name), counter), input, alert);
    label.classList.toggle('wide', isHtml);
    const refresh = () => {
      const value: unknown = edit.get(name as never);
      const texts = [value ?? []].flat().map(String);
      if (isList) for (const option of given ?? []) option.selected = texts.includes(option.value);
      else if (document.activeElement !== input || !edit.isDirty)
        input.value = texts.join('; ').slice(0, format === 'date' ? 10 : undefined);
      const length = typeof value === 'string' ? kit.lengthOf(value) : 0;
      counter.textContent = length > maximumLength * 0.8 ? `${length} / ${maximumLength}` : '';
      alert.textContent = faults.get(name) ?? '';
      input.ariaInvalid = String(faults.has(name));
      label.classList.toggle(
        'changed',
        edit.changed.some((field) => field === name.split('.')[0]),
      );
    };
    return { label, refresh };
  }

  async function afterSave(sentence: string): Promise<void> {
    tell(sentence);
    await showHistory();
    record.onSaved();
  }

  async function save(sentence = text('saved')): Promise<void> {
    try {
      faults = new Map();
      await edit.save(record.update);
      await afterSave(sentence);
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      const { error, fields, message } = failure.refusal;
      faults = new Map(fields.map((fault) => [kit.inputNameOf(fault.path), fault.message]));
      if (error !== 'version-conflict') return tell(faults.size > 0 ? text('correct') : message);
      const current = await record.read();
      if (edit.merge(current.input, current.version).length === 0) return save(text('merged'));
      await afterSave(text('conflict'));
    } finally {
      refresh();
    }
  }

  /** Writes back what was before a change. What the form has changed since stays, or becomes a conflict. */
  async function undo(input: object, lost: string[]): Promise<void> {
    const reply = await record.update({
      input: input as kit.Variables<Input>['input'],
      expectedVersion: edit.version,
    });
    edit.merge(reply.input, reply.version);
    await afterSave(lost.length > 0 ? `${text('lost')}: ${lost.map(fieldName).join(', ')}` : text('saved'));
  }

  const history = h('ol', { id: 'history' });
  function entryItem(entry: Entry): Node {
    const { input, lost } = kit.inputOfHistory(entry, record.ids);
    const disabled = !mayEdit || Object.keys(input).every((name) => name in record.ids);
    const button = h(
      'button',
      { type: 'button', disabled, onclick: () => run(undo(input, lost)) },
      text('undo'),
    );
    const changes = entry.changes.map(({ field, before, after }) => {
      const isHidden = before === null && after === null;
      const values = isHidden
        ? [text('hidden')]
        : [h('del', inWords(field, before)), ' → ', inWords(field, after)];
      return h('p', `${fieldName(field)}: `, ...values);
    });
    const when = `${new Date(entry.at).toLocaleString(language)}, ${entry.actor}`;
    return h('li', h('div.row', h('small', when), button), ...changes);
  }
  const showHistory = async () => history.replaceChildren(...((await record.history()) ?? []).map(entryItem));

  const panel = h('section.card.conflict');
  const status = h('span');
  const saveButton = h('button.primary', text('save'));
  const reopen = () => window.dispatchEvent(new Event('hashchange'));
  const discardButton = h('button', { type: 'button', onclick: reopen }, text('discard'));
  const sections = record.sections.map(({ title, names }) => ({
    title,
    controls: names.split(' ').map(control),
  }));
  function refresh(): void {
    for (const { controls } of sections) for (const each of controls) each.refresh();
    saveButton.disabled = edit.changed.length === edit.conflicts.length;
    discardButton.disabled = !edit.isDirty;
    status.textContent = edit.isDirty
      ? `${text('dirty')}: ${edit.changed.map(fieldName).join(', ')}`
      : text('clean');
    panel.hidden = edit.conflicts.length === 0;
    const items = edit.conflicts.map(({ field, mine, theirs }) => {
      const choice = (who: string, value: unknown) =>
        h(
          'button',
          { type: 'button', onclick: () => edit.resolve(field, value) },
          h('small', who),
          h('br'),
          inWords(field, value),
        );
      return h('li', h('b', fieldName(field)), choice(text('mine'), mine), choice(text('theirs'), theirs));
    });
    panel.replaceChildren(h('h2', text('conflict')), h('p', text('decide')), h('ul', ...items));
  }
  edit.subscribe(refresh);
  refresh();

  const cards = sections.map(({ title, controls }) =>
    card(title, h('div.fields', ...controls.map(({ label }) => label))),
  );
  const bar = h(
    'div.card.bar',
    { hidden: !mayEdit },
    h('div.row', status, h('span.row', discardButton, saveButton)),
  );
  const onsubmit = (event: Event) => (event.preventDefault(), run(save()));
  const form = h('form', { noValidate: true, onsubmit }, panel, ...cards, bar);
  one('main').replaceChildren(...record.heading, ...more, form, card(text('history'), history));
  run(showHistory());
}

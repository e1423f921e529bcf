import { readRefusal } from 'recruitment-gateway-client';
import * as kit from 'recruitment-gateway-client/forms';
import { card, h, one, run, tell } from './dom';
import { language } from './gateway';
import { fieldName, options, text } from './texts';

/** A job or a company. `references` has the choices of inputs, by name. */
export interface Editable<Input, Sent extends { input: object }> {
  type: 'CreateJobInput' | 'UpdateJobInput' | 'UpdateCompanyInput';
  heading: Node[];
  edit: kit.Edit<Input, Sent, number | null>;
  sections: { title: string; names: string }[];
  references: Record<string, { id: string; publicId: string; name: string }[] | null | undefined>;
  /** Whether the input has this choice now. */
  isOffered?: (name: string, choice: string) => boolean;
  mayEdit: boolean;
  update: (variables: Sent) => Promise<kit.Stored<Input>>;
  onSaved: () => void;
  /** Absent while the record is new. */
  stored?: {
    ids: { jobPublicId: string } | { mediaPublicId: string; companyPublicId: string };
    read: () => Promise<kit.Stored<Input>>;
    history: () => Promise<Entry[] | undefined>;
  };
}
interface Entry {
  at: string;
  actor: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

export function showForm<Input extends object, Sent extends { input: object }>(
  record: Editable<Input, Sent>,
  ...more: Node[]
): void {
  const { edit, type, references, mayEdit, stored } = record;

  function optionsOf(name: string): HTMLOptionElement[] | null {
    const { choices, values = [], required } = kit.limitOf(type, name as 'name') as kit.Limit;
    const listed = (references[name] ?? []).map((each) => [each.publicId, each.name]);
    const named = choices ? options(choices) : values.map((value) => [value, value]);
    const all = [...listed, ...named.filter(([value = '']) => values.length === 0 || values.includes(value))];
    const isFilled = name === 'sectorIds' || (required && !name.includes('.'));
    return all.length > 0
      ? [...(isFilled ? [] : [['', '']]), ...all].map(([id, label]) => new Option(label, id))
      : null;
  }

  const nameOf = (name: string) => fieldName(type, name);
  const inWords = (name: string, value: unknown) => kit.describeValue(name, value, references, language);

  function control(name: string) {
    const given = optionsOf(name);
    const { maximumLength = Infinity, format } = kit.limitOf(type, name as 'name') as kit.Limit;
    const [isList, isHtml] = [name === 'sectorIds', format === 'html'];
    const isLong = isHtml || name === 'salary' || name === 'localisation';
    const [counter, alert] = [h('small'), h('em', { role: 'alert' })];
    const warning = h('em.warning', { role: 'status' });
    const input = given
      ? h('select', { multiple: isList, ...(isList && { size: 6 }) }, ...given)
      : isLong
        ? h('textarea', { rows: isHtml ? 3 : 1 })
        : h('input', kit.inputAttributes(type, name as 'name'));
    const set = (value: unknown) => edit.set(name as never, value as never);
    const chosen = () => [...(input as HTMLSelectElement).selectedOptions].map(({ value }) => value);
    const oninput = () => {
      if (isList) set(chosen());
      else if (!input.validity.badInput) set(format === 'email' && input.value ? [input.value] : input.value);
    };
    // Messages describe the input. Its name stays, whatever they say.
    const described = { ariaLabel: nameOf(name), ariaDescribedByElements: [counter, alert, warning] };
    Object.assign(input, { name, oninput, required: false, disabled: !mayEdit, ...described });
    const { help } = kit.fieldLabelOf(type, name as 'name', language);
    const label = h('label', h('span', nameOf(name), counter), input, h('small', help ?? ''), alert, warning);
    label.classList.toggle('wide', isHtml);
    const refresh = () => {
      const value: unknown = edit.get(name as never);
      const texts = [value ?? []].flat().map(String);
      for (const option of given ?? [])
        option.hidden = option.disabled = record.isOffered?.(name, option.value) === false;
      if (isList) for (const option of given ?? []) option.selected = texts.includes(option.value);
      else if (document.activeElement !== input || !edit.isDirty)
        input.value = texts.join('; ').slice(0, format === 'date' ? 10 : undefined);
      const length = typeof value === 'string' ? kit.lengthOf(value) : 0;
      counter.textContent = length > maximumLength * 0.8 ? `${length} / ${maximumLength}` : '';
      alert.textContent = edit.faults[name as never] ?? '';
      warning.textContent = edit.warnings[name as never] ?? '';
      input.ariaInvalid = String(name in edit.faults);
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

  async function save(): Promise<void> {
    let isMerged = false;
    const read = stored && (() => ((isMerged = true), stored.read()));
    try {
      const saved = await edit.save(record.update, read);
      if (edit.conflicts.length > 0) return await afterSave(text('conflict'));
      await afterSave(text(saved?.warnings?.length ? 'warned' : isMerged ? 'merged' : 'saved'));
    } catch (failure) {
      const refusal = readRefusal(failure);
      if (!refusal) throw failure;
      tell(refusal.fields.length > 0 ? text('correct') : refusal.message);
    }
  }

  /** Writes back what was before a change. What the form has changed since stays, or becomes a conflict. */
  async function undo(input: object, lost: string[]): Promise<void> {
    const variables: unknown = { input, expectedVersion: edit.version };
    const reply = await record.update(variables as Sent);
    edit.merge(reply.input, reply.version);
    await afterSave(lost.length > 0 ? `${text('lost')}: ${lost.map(nameOf).join(', ')}` : text('saved'));
  }

  const history = h('ol', { id: 'history' });
  function entryItem(entry: Entry, { ids }: NonNullable<typeof stored>): Node {
    const { input, lost } = kit.inputOfHistory(entry, ids);
    const disabled = !mayEdit || Object.keys(input).every((name) => name in ids);
    const button = h(
      'button',
      { type: 'button', disabled, onclick: () => run(undo(input, lost)) },
      text('undo'),
    );
    const changes = kit
      .describeChange(entry, references, language, type)
      .map(({ label, before, after, text }) =>
        before === null ? h('p', text) : h('p', `${label}: `, h('del', before), ' → ', after ?? ''),
      );
    const when = `${new Date(entry.at).toLocaleString(language)}, ${entry.actor}`;
    return h('li', h('div.row', h('small', when), button), ...changes);
  }
  async function showHistory(): Promise<void> {
    if (!stored) return;
    const entries = (await stored.history()) ?? [];
    history.replaceChildren(...entries.map((entry) => entryItem(entry, stored)));
  }

  const panel = h('section.card.conflict');
  const status = h('span');
  const saveButton = h('button.primary', text(stored ? 'save' : 'create'));
  const discardButton = h('button', { type: 'button', onclick: () => edit.discard() }, text('discard'));
  const sections = record.sections.map(({ title, names }) => ({
    title,
    controls: names.split(' ').map(control),
  }));
  function refresh(): void {
    for (const { controls } of sections) for (const each of controls) each.refresh();
    saveButton.disabled = edit.version !== null && edit.changed.length === edit.conflicts.length;
    discardButton.disabled = !edit.isDirty;
    status.textContent = edit.isDirty
      ? `${text('dirty')}: ${edit.changed.map(nameOf).join(', ')}`
      : text('clean');
    panel.hidden = edit.conflicts.length === 0;
    const items = edit.conflicts.map(({ field, mine, theirs }) => {
      const choice = (who: string, value: unknown) =>
        h(
          'button',
          { type: 'button', onclick: () => edit.resolve(field, value as never) },
          h('small', who),
          h('br'),
          inWords(field, value),
        );
      return h('li', h('b', nameOf(field)), choice(text('mine'), mine), choice(text('theirs'), theirs));
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
  one('main').replaceChildren(...record.heading, ...more, form);
  if (stored) one('main').append(card(text('history'), history));
  run(showHistory());
}

import { readRefusal } from 'recruitment-gateway-client';
import * as kit from 'recruitment-gateway-client/forms';
import { type Control, chips, richText } from './controls';
import { diff } from './diff';
import { card, h, load, messageOf, run, tell } from './dom';
import { language } from './gateway';
import { fieldName, options, text } from './texts';

/** A job or a company. `references` is an answer with the choices of its inputs. */
export interface Editable<Input, Sent extends { input: object }> {
  type: 'CreateJobInput' | 'UpdateJobInput' | 'UpdateCompanyInput';
  heading: Node[];
  edit: kit.Edit<Input, Sent, number | null>;
  /** Inputs that the form does not show. */
  hidden: string[];
  references: object;
  /** Whether the input has this choice now. */
  isOffered?: (name: string, choice: string) => boolean;
  mayEdit: boolean;
  update: (variables: Sent & { dryRun?: true }) => Promise<kit.Stored<Input>>;
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

/** The form of a record, and its history: beside it on a wide screen, else in a drawer. */
export function formOf<Input extends object, Sent extends { input: object }>(
  record: Editable<Input, Sent>,
  ...more: Node[]
): Node[] {
  const { edit, type, references, mayEdit, stored } = record;

  function optionsOf(name: string): HTMLOptionElement[] | null {
    const { choices, values = [], required } = kit.limitOf(type, name as 'name') as kit.Limit;
    const listed = kit.referencesOf(name, references).map((each) => [each.publicId, each.name]);
    const named = choices ? options(choices) : values.map((value) => [value, value]);
    const all = [...listed, ...named.filter(([value = '']) => values.length === 0 || values.includes(value))];
    const isFilled = name === 'sectorIds' || (required && !name.includes('.'));
    return all.length > 0
      ? [...(isFilled ? [] : [['', '']]), ...all].map(([id, label]) => new Option(label, id))
      : null;
  }

  const nameOf = (name: string) => fieldName(type, name);
  const inWords = (name: string, value: unknown) => kit.describeValue(name, value, references, language);

  function plain(name: string, set: (value: unknown) => void): Control {
    const given = optionsOf(name);
    const { format } = kit.limitOf(type, name as 'name') as kit.Limit;
    const isList = name === 'sectorIds';
    const input = given
      ? h('select', { multiple: isList, ...(isList && { size: 6 }) }, ...given)
      : name === 'salary' || name === 'localisation'
        ? h('textarea', { rows: 1 })
        : h('input', kit.inputAttributes(type, name as 'name'));
    const chosen = () => [...(input as HTMLSelectElement).selectedOptions].map(({ value }) => value);
    const oninput = () => {
      // The gateway refuses a number that nobody can read, and says so at the input.
      set(isList ? chosen() : input.validity.badInput ? '?' : input.value);
    };
    Object.assign(input, { name, oninput, required: false, disabled: !mayEdit });
    const show = (value: unknown) => {
      for (const option of given ?? [])
        option.hidden = option.disabled = record.isOffered?.(name, option.value) === false;
      const texts = [value ?? []].flat().map(String);
      if (isList) for (const option of given ?? []) option.selected = texts.includes(option.value);
      else if (value !== '?') input.value = texts.join('').slice(0, format === 'date' ? 10 : undefined);
    };
    return { input, parts: [input], show };
  }

  function field(name: string) {
    const { maximumLength = Infinity, format } = kit.limitOf(type, name as 'name') as kit.Limit;
    const set = (value: unknown) => edit.set(name as never, value as never);
    const special = ({ html: richText, email: chips } as Partial<Record<string, typeof chips>>)[format ?? ''];
    const { input, parts, show } = special?.({ mayEdit, set }) ?? plain(name, set);
    const [counter, alert] = [h('small'), h('em', { role: 'alert' })];
    const warning = h('em.warning', { role: 'status' });
    // Messages describe the input. Its name stays, whatever they say.
    Object.assign(input, { ariaLabel: nameOf(name), ariaDescribedByElements: [counter, alert, warning] });
    const { help } = kit.fieldLabelOf(type, name as 'name', language);
    // A label with several controls would press the first of them.
    const label = h(
      parts.length > 1 ? 'div.field' : 'label.field',
      ...[h('span', nameOf(name), counter), ...parts, h('small', help ?? ''), alert, warning],
    );
    if (special) label.classList.add(format === 'html' ? 'wide' : 'double');
    const refresh = () => {
      const value: unknown = edit.get(name as never);
      // What somebody types stays as it is typed.
      if (document.activeElement !== input || !edit.isDirty || special === chips) show(value);
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
    void showHistory();
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
  const showHistory = async () =>
    stored &&
    load(history, async () => {
      const entries = (await stored.history()) ?? [];
      return entries.length > 0
        ? entries.map((entry) => entryItem(entry, stored))
        : [h('li.soft', text('unchanged'))];
    });

  const panel = h('section.card.conflict');
  const status = h('span');
  const saveButton = h('button.primary', text(stored ? 'save' : 'create'));
  const discard = h('button', { type: 'button', onclick: () => edit.discard() }, text('discard'));
  const sections = kit.formSections(type, language).flatMap(({ label: title, inputs }) => {
    const fields = inputs.filter((name) => !record.hidden.includes(name)).map(field);
    return fields.length > 0 ? [{ title, fields }] : [];
  });
  function refresh(): void {
    for (const { fields } of sections) for (const each of fields) each.refresh();
    form.classList.toggle('dirty', edit.isDirty);
    status.textContent = edit.isDirty
      ? `${text('dirty')}: ${edit.changed.map(nameOf).join(', ')}`
      : text('clean');
    panel.hidden = edit.conflicts.length === 0;
    const items = edit.conflicts.map(({ field, base, mine, theirs }) => {
      const before = inWords(field, base);
      const choice = (who: string, value: unknown) =>
        h(
          'button',
          { type: 'button', onclick: () => edit.resolve(field, value as never) },
          h('small', who),
          h('br'),
          ...diff(before, inWords(field, value)),
        );
      const title = h('b', nameOf(field), ' ', h('small', `${text('before')}: ${before}`));
      return h('li', title, choice(text('mine'), mine), choice(text('theirs'), theirs));
    });
    panel.replaceChildren(h('h2', text('conflict')), h('p', text('decide')), h('ul', ...items));
  }

  const cards = sections.map(({ title, fields }) =>
    card(title, h('div.fields', ...fields.map(({ label }) => label))),
  );
  const bar = h(
    'div.card.bar',
    h('div.row', status, h('span.row', { hidden: !mayEdit }, discard, saveButton)),
  );
  const onsubmit = (event: Event) => (event.preventDefault(), run(save()));
  const form = h('form', { noValidate: true, onsubmit }, panel, ...cards, bar);
  edit.subscribe(refresh);
  refresh();
  // A dry run says why nobody may save.
  if (!mayEdit)
    edit.check(record.update).catch((failure: unknown) => void (status.textContent = messageOf(failure)));
  if (!stored) return [h('div.record', ...record.heading, ...more, form)];
  const drawer = h('section.drawer', { popover: 'auto', ariaLabel: text('history') });
  const toggle = (label: 'history' | 'close') =>
    h('button.toggle', { type: 'button', popoverTargetElement: drawer }, text(label));
  drawer.append(h('div.row', h('h2', text('history')), toggle('close')), history);
  void showHistory();
  return [h('div.record', ...record.heading, toggle('history'), ...more, form), drawer];
}

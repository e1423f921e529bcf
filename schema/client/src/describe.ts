import { withCharacters } from './canonical-html.js';
import { type LabelLanguage, labelOf } from './choices.js';
import { anyFieldLabelOf } from './field-labels.js';
import { isRecord } from './is-record.js';
import { type FormInputs, type Limit, limits } from './limits.js';

const words = {
  empty: { en: 'empty', fr: 'vide' },
  changed: { en: 'changed', fr: 'modifié' },
};

/** A change of a history, in words. */
export interface ChangeDescription {
  field: string;
  label: string;
  /** Null if the history hides both values, as it does with e-mail addresses. */
  before: string | null;
  after: string | null;
  /** All in one line, such as "Salary, as shown: 48 000 € → 55 000 €". */
  text: string;
}

/**
 * Puts a value of a field into words: names instead of ids, labels instead of codes, no HTML. For histories and conflicts.
 * @param references lists with references, such as the answer of `JobFormDocument` or `CompanyFormDocument`, each by a name that
 *   begins as its field: `contracts` for `contractId`. An id that its list does not have stays as it is
 */
export function describeValue(
  field: string,
  value: unknown,
  references: object,
  language: LabelLanguage,
): string {
  if (value == null || (value as string | unknown[]).length === 0) return words.empty[language];
  if (Array.isArray(value))
    return value.map((each) => describeValue(field, each, references, language)).join(', ');
  if (field === 'salaryRange' && isRecord(value)) {
    const { minimum, maximum, currency, period } = value as Record<string, string | null | undefined>;
    // One amount alone is a least or a most: "10 –" or "– 20".
    const amounts = [minimum, (minimum || maximum) && '–', maximum];
    const per = period && `/ ${labelOf('PayPeriod', period, language).toLowerCase()}`;
    return [...amounts, currency, per].filter(Boolean).join(' ');
  }
  if (isRecord(value)) return Object.values(value).filter(Boolean).join(' ');
  const text = `${value as string}`;
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text))
    return new Date(text).toLocaleDateString(language, { timeZone: 'UTC' });
  const all: Readonly<Record<string, Limit>> = { ...limits.UpdateCompanyInput, ...limits.UpdateJobInput };
  const { choices, format } = all[field] ?? {};
  if (format === 'html') return withCharacters(text.replace(/(?:<[^>]+>|\s)+/g, ' ').trim());
  if (choices) return labelOf(choices, text, language);
  // Two kinds can have the same id.
  return (
    referencesOf(field, references).find((each) => each.id === text || each.publicId === text)?.name ?? text
  );
}

interface Listed {
  id: string;
  publicId: string;
  name: string;
}

/**
 * The choices of an input, such as `referencesOf('contractId', data)`.
 * @param answer of `JobFormDocument`, `NewJobFormDocument` or `CompanyFormDocument`. Empty if it has no list for the input
 */
export function referencesOf(field: string, answer: object): readonly Listed[] {
  const stem = field.replace(/y?Ids?$/, '');
  const lists = Object.entries(answer as Record<string, Listed[] | null>);
  return lists.find(([key, list]) => key.startsWith(stem) && Array.isArray(list))?.[1] ?? [];
}

/**
 * Puts each change of an entry of a history into words.
 * @param entry a node of `JobHistoryDocument` or `CompanyHistoryDocument`
 * @param references as for {@link describeValue}
 */
export function describeChange(
  entry: { readonly changes: readonly { field: string; before: unknown; after: unknown }[] },
  references: object,
  language: LabelLanguage,
  type: keyof FormInputs = 'UpdateJobInput',
): ChangeDescription[] {
  return entry.changes.map(({ field, before, after }) => {
    const { label } = anyFieldLabelOf(type, field, language);
    if (before === null && after === null)
      return { field, label, before, after, text: `${label}: ${words.changed[language]}` };
    const [from, to] = [before, after].map((value) => describeValue(field, value, references, language));
    return { field, label, before: from!, after: to!, text: `${label}: ${from} → ${to}` };
  });
}

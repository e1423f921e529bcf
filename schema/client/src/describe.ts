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
 * @param references lists with references, such as the answer of `JobFormDocument` or `CompanyFormDocument`
 */
export function describeValue(
  field: string,
  value: unknown,
  references: object,
  language: LabelLanguage,
): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((each) => describeValue(field, each, references, language)).join(', ');
  if (value === null || value === undefined || value === '' || Array.isArray(value))
    return words.empty[language];
  if (field === 'salaryRange' && isRecord(value)) {
    const { minimum, maximum, currency, period } = value;
    const amounts = [minimum, maximum]
      .filter((amount) => amount != null)
      .map(String)
      .join(' – ');
    return `${amounts} ${String(currency)} / ${labelOf('PayPeriod', String(period), language).toLowerCase()}`;
  }
  if (isRecord(value)) return Object.values(value).filter(Boolean).join(' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(text).toLocaleDateString(language, { timeZone: 'UTC' });
  const all: Readonly<Record<string, Limit>> = { ...limits.UpdateCompanyInput, ...limits.UpdateJobInput };
  const { choices, references: kind, format } = all[field] ?? {};
  if (format === 'html') return text.replace(/<[^>]+>/g, ' ').trim();
  if (choices) return labelOf(choices, text, language);
  return (kind && nameOf(text, references)) ?? text;
}

function nameOf(id: string, references: object): string | null {
  const all = Object.values(references).flat() as ({
    id?: unknown;
    publicId?: unknown;
    name?: string;
  } | null)[];
  return all.find((each) => each?.id === id || each?.publicId === id)?.name ?? null;
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

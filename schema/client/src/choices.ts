import { choices } from './choice-table.js';

export { choices };

type Choices = typeof choices;

/** The label of a value of an enum, such as `labelOf('JobState', 'draft', 'fr')`. A value of a newer gateway is its own label. */
export function labelOf(name: keyof Choices, value: string, language: 'en' | 'fr'): string {
  const all: readonly { value: string; label: { en: string; fr: string } }[] = choices[name];
  return all.find((choice) => choice.value === value)?.label[language] ?? value;
}

/** References sorted as people of the language expect; the gateway sorts them by public id. */
export function sortReferences<Reference extends { name: string; names?: { en: string; fr: string } }>(
  references: readonly Reference[],
  language: 'en' | 'fr',
): Reference[] {
  const nameOf = ({ name, names }: Reference) => names?.[language] ?? name;
  return [...references].sort((one, other) => nameOf(one).localeCompare(nameOf(other), language));
}

import { choices } from './choice-table.js';
import { moves } from './format-table.js';

export { choices };

type Choices = typeof choices;

/** A language in which the package has labels. */
export type LabelLanguage = 'en' | 'fr';

/** The label of a value of an enum, such as `labelOf('JobState', 'draft', 'fr')`. A value of a newer gateway is its own label. */
export function labelOf(name: keyof Choices, value: string, language: LabelLanguage): string {
  const all: readonly { value: string; label: { en: string; fr: string } }[] = choices[name];
  return all.find((choice) => choice.value === value)?.label[language] ?? value;
}

/** The states that a job in this state can move to. `Job.nextStates` says the same of one job. */
export const movesOf = <State extends keyof typeof moves>(state: State): (typeof moves)[State] =>
  moves[state];

import { type Field } from '../../../src/content/fields.rules.js';
import { documentedName } from '../../../src/errors/documented-name.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { jobCase, type ParityCase } from './parity-case.js';

/** A value that both doors can say and that is a fault of its field, for each type of value; and its code. */
const faulty: {
  [Type in Field['type']]: (field: string, maximum: number) => [value: unknown, code: string];
} = {
  text: (field, maximum) => ['x'.repeat(maximum + 1), `${field}-too-long`],
  html: (field, maximum) => ['x'.repeat(maximum), `${field}-too-long`],
  url: (field) => ['nowhere', `${field}-format-error`],
  emails: (field) => ['a@b.example;'.repeat(2) + 'nobody', `${field}-format-error`],
  choice: (field) => [null, `${field}-must-be-string`],
  reference: (field) => ['nothing', `${field}-not-found`],
  references: (field) => ['\t', `${field}-format-error`],
};

const fields = Object.entries<Field>(jobFields)
  // A name is never a fault.
  .filter(([name]) => name !== 'name')
  .map(([name, field]) => {
    const documented = documentedName(name);
    return [documented, faulty[field.type](documented, 'maximum' in field ? field.maximum : 0)] as const;
  });

/** Every pair of these, and all of them together: a fault never hides another. */
export const jobPairs: readonly ParityCase[] = [
  ...fields.flatMap(([one, [oneValue, oneCode]], index) =>
    fields.slice(index + 1).map(([other, [otherValue, otherCode]]) =>
      jobCase(`faults of ${one} and ${other} are told together (Contract 7.3.1)`, {
        fields: { [one]: oneValue, [other]: otherValue },
        refused: 'validation-failed',
        faults: [oneCode, otherCode],
      }),
    ),
  ),
  jobCase('the faults of all fields are told together (Contract 7.3.1)', {
    fields: Object.fromEntries(fields.map(([field, [value]]) => [field, value])),
    refused: 'validation-failed',
    faults: fields.map(([, [, code]]) => code),
  }),
];

import { companyFields } from '../../../src/company/company-fields.rules.js';
import { type FieldTable, isClearable } from '../../../src/fields/fields.rules.js';
import { type Kind } from '../../../src/fields/kinds.rules.js';
import { demoReferences } from '../../support/demo-references.js';
import { documentedName } from '../../../src/errors/documented-name.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { maximumOf } from './table-fields.js';
import { companyCase, invalid, jobCase, type ParityCase } from './parity-case.js';

interface Tried {
  /** A valid value that every API can send. Texts differ between fields. */
  right: unknown;
  stored: unknown;
  /** An invalid value that REST and GraphQL can send, and the end of its fault code. */
  faulty: unknown;
  fault: string;
}

const recordsOf = ({ refersTo }: Kind) => demoReferences.filter(({ kind }) => kind === refersTo?.kind);

function textTried(right: string, faulty: string, fault = 'format-error'): Tried {
  return { right, stored: right, faulty, fault };
}

function anyText(kind: Kind, name: string) {
  const maximum = maximumOf(kind) ?? 0;
  return textTried(name.slice(0, maximum), 'x'.repeat(maximum + 1), 'too-long');
}

const triedOf: Record<Kind['name'], (kind: Kind, name: string) => Tried> = {
  text: anyText,
  freeText: anyText,
  html: (kind, name) => ({ ...anyText(kind, name), right: `<p>${name}</p>`, stored: `<p>${name}</p>` }),
  url: (_kind, name) => textTried(`https://a.example/${name}`, 'nowhere'),
  emails: (_kind, name) => {
    const right = [`${name}@a.example`, `${name}@b.example`];
    return { right, stored: right, faulty: 'a@b.example;'.repeat(2) + 'nobody', fault: 'format-error' };
  },
  choice: ({ choices = [] }) => {
    const right = choices.at(-1);
    return { right, stored: right, faulty: null, fault: 'must-be-string' };
  },
  reference: (kind) => {
    const [record] = recordsOf(kind);
    const stored = record?._id.toHexString();
    return { right: record?.publicId, stored, faulty: 'nothing', fault: 'not-found' };
  },
  // The job is a draft, which has no end.
  instant: () => ({ right: '2999-01-01', stored: null, faulty: 'tomorrow', fault: 'format-error' }),
  decimal: () => textTried('12.5', '12.345'),
  code: () => textTried('', 'none'),
  references: (kind) => {
    const two = recordsOf(kind).slice(0, 2);
    const right = two.map(({ publicId }) => publicId).join(';');
    return { right, stored: two.map(({ _id }) => _id.toHexString()), faulty: '\t', fault: 'format-error' };
  },
};

const tried = (table: FieldTable) =>
  Object.entries(table).map(([key, field]) => {
    const name = documentedName(key);
    const { kind } = field;
    /** What is stored without a value. */
    const empty = kind.cleared ?? kind.choices?.[0] ?? null;
    return { name, field, empty, ...triedOf[kind.name](kind, name) };
  });

const asForm = (name: string, value: unknown) =>
  [value].flat().map((each): [string, string] => [name, String(each)]);

function casesOf(
  of: string,
  makeCase: typeof jobCase,
  fields: ReturnType<typeof tried>,
  before: Record<string, unknown> = {},
): ParityCase[] {
  return [
    ...fields
      // Other tables test how the other fields are stored.
      .filter(({ field }) => !field.store && !field.object && field.kind.name !== 'instant')
      .flatMap(({ name, field, empty, right, stored }) => [
        makeCase(`${name}: a value is stored (Contract 1.2, 4.3.2)`, {
          before: { ...before, [field.path]: empty },
          fields: { [name]: right },
          form: asForm(name, right),
          stored: { [field.path]: stored },
        }),
        ...(isClearable(field)
          ? [
              makeCase(`${name}: null clears it (Contract 4.3.3.2)`, {
                before: { [field.path]: stored },
                fields: { [name]: null },
                stored: { [field.path]: empty },
              }),
            ]
          : []),
      ]),
    ...fields
      .filter(({ field }) => !isClearable(field))
      .map(({ name, field }) =>
        makeCase(`${name}: null clears nothing (Contract 4.3.3.2)`, {
          fields: { [name]: null },
          ...invalid(`${name}-must-be-${field.kind.inputType}`),
        }),
      ),
    ...fields.map((one, index) => {
      const other = fields[(index + 1) % fields.length] ?? one;
      return makeCase(`faults of ${one.name} and ${other.name} are reported together (Contract 7.3.1)`, {
        fields: { [one.name]: one.faulty, [other.name]: other.faulty },
        ...invalid(`${one.name}-${one.fault}`, `${other.name}-${other.fault}`),
      });
    }),
    makeCase(`all faults of a ${of} are reported together (Contract 7.3.1)`, {
      fields: Object.fromEntries(fields.map(({ name, faulty }) => [name, faulty])),
      ...invalid(...fields.map(({ name, fault }) => `${name}-${fault}`)),
    }),
  ];
}

/** The name is never a fault and never stored. The external method needs the URL. */
export const everyJobField = casesOf(
  'job',
  jobCase,
  tried(jobFields).filter(({ name }) => name !== 'name'),
  { applicationUrl: 'https://before.example' },
);

export const everyCompanyField = casesOf('company', companyCase, tried(companyFields));

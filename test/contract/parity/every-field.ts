import { companyFields } from '../../../src/company/company-fields.rules.js';
import { type Field, type FieldTable, fieldTypes, isClearable } from '../../../src/fields/fields.rules.js';
import { demoReferenceId, demoReferences } from '../../support/demo-references.js';
import { documentedName } from '../../../src/errors/documented-name.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { type ReferenceKind } from '../../../src/fields/reference-book.js';
import { companyCase, invalid, jobCase, type ParityCase } from './parity-case.js';

interface Tried {
  /** What is stored without a value. */
  empty: unknown;
  /** A valid value that every API can send. Texts differ between fields. */
  right: unknown;
  stored: unknown;
  /** An invalid value that REST and GraphQL can send, and the end of its fault code. */
  faulty: unknown;
  fault: string;
}

const idsOf = (kind: ReferenceKind): string[] =>
  demoReferences.flatMap((record) => (record.kind === kind ? [record.publicId] : []));
const hexOf = (kind: ReferenceKind, publicId: string): string =>
  demoReferenceId(kind, publicId).toHexString();

function anyText({ maximum }: { maximum: number }, name: string): Tried {
  const right = name.slice(0, maximum);
  return { empty: null, right, stored: right, faulty: 'x'.repeat(maximum + 1), fault: 'too-long' };
}

const triedOf: {
  [Type in Field['type']]: (field: Extract<Field, { type: Type }>, name: string) => Tried;
} = {
  text: anyText,
  freeText: anyText,
  html: ({ maximum }, name) => {
    const right = `<p>${name}</p>`;
    return { empty: null, right, stored: right, faulty: 'x'.repeat(maximum + 1), fault: 'too-long' };
  },
  url: (_field, name) => {
    const right = `https://a.example/${name}`;
    return { empty: null, right, stored: right, faulty: 'nowhere', fault: 'format-error' };
  },
  emails: (_field, name) => {
    const right = [`${name}@a.example`, `${name}@b.example`];
    return {
      empty: [],
      right,
      stored: right,
      faulty: 'a@b.example;'.repeat(2) + 'nobody',
      fault: 'format-error',
    };
  },
  choice: ({ of }) => {
    const right = of.at(-1);
    return { empty: of[0], right, stored: right, faulty: null, fault: 'must-be-string' };
  },
  reference: ({ kind }) => {
    const [right = ''] = idsOf(kind);
    return { empty: null, right, stored: hexOf(kind, right), faulty: 'nothing', fault: 'not-found' };
  },
  // The job is a draft, which has no end.
  instant: () => ({
    empty: null,
    right: '2999-01-01',
    stored: null,
    faulty: 'tomorrow',
    fault: 'format-error',
  }),
  decimal: () => ({ empty: null, right: '12.5', stored: '12.5', faulty: '12.345', fault: 'format-error' }),
  code: ({ of }) => {
    const [right = ''] = of;
    return { empty: null, right, stored: right, faulty: 'none', fault: 'format-error' };
  },
  references: ({ kind }) => {
    const right = idsOf(kind).slice(0, 2);
    return {
      empty: [],
      right: right.join(';'),
      stored: right.map((id) => hexOf(kind, id)),
      faulty: '\t',
      fault: 'format-error',
    };
  },
};

const tried = (table: FieldTable) =>
  Object.entries<Field>(table).map(([key, field]) => {
    const name = documentedName(key);
    const values = triedOf[field.type] as (field: Field, name: string) => Tried;
    return { name, field, ...values(field, name) };
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
      .filter(({ field }) => !('store' in field) && !('whole' in field) && field.type !== 'instant')
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
          ...invalid(`${name}-must-be-${fieldTypes[field.type].given}`),
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

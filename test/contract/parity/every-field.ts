import { companyFields } from '../../../src/company/company-fields.rules.js';
import { type FieldTable, isClearable } from '../../../src/fields/fields.rules.js';
import { type FieldType } from '../../../src/fields/field-types.rules.js';
import { demoReferences } from '../../support/demo-references.js';
import { snakeCase } from '../../../src/errors/snake-case.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { maximumOf } from './table-fields.js';
import { companyCase, jobCase, type ParityCase } from './parity-case.js';

const recordsOf = ({ refersTo }: FieldType) => demoReferences.filter(({ kind }) => kind === refersTo?.kind);

type Stored = [sent: unknown, stored: unknown];
const asSent = (value: unknown): Stored => [value, value];
const text = (kind: FieldType, name: string) => asSent(name.slice(0, maximumOf(kind)));

/** A value that every API can send, and what is stored of it; null: other tables test how it is stored. Texts differ between fields. */
const valueOf: Record<FieldType['name'], ((kind: FieldType, name: string) => Stored) | null> = {
  text,
  freeText: text,
  html: (_kind, name) => asSent(`<p>${name}</p>`),
  url: (_kind, name) => asSent(`https://a.example/${name}`),
  emails: (_kind, name) => asSent([`${name}@a.example`, `${name}@b.example`]),
  choice: ({ choices = [] }) => asSent(choices.at(-1)),
  reference: (kind) => {
    const [record] = recordsOf(kind);
    return [record?.publicId, record?._id.toHexString()];
  },
  references: (kind) => {
    const two = recordsOf(kind).slice(0, 2);
    return [two.map(({ publicId }) => publicId).join(';'), two.map(({ _id }) => _id.toHexString())];
  },
  ...{ instant: null, decimal: null, code: null },
};

/** Other tables test how the other fields are stored. */
const casesOf = (table: FieldTable, makeCase: typeof jobCase, before: Record<string, unknown> = {}) =>
  Object.entries(table)
    .filter(([key, { store, object, type }]) => key !== 'name' && !store && !object && valueOf[type.name])
    .flatMap(([key, field]): ParityCase[] => {
      const { type, path } = field;
      const name = snakeCase(key);
      const [sent, stored] = valueOf[type.name]!(type, name);
      const empty = type.cleared ?? type.choices?.[0] ?? null;
      return [
        makeCase(`${name}: a value is stored (Contract 1.2, 5.1.3)`, {
          before: { ...before, [path]: empty },
          fields: { [name]: sent },
          form: [sent].flat().map((each): [string, string] => [name, String(each)]),
          stored: { [path]: stored },
        }),
        ...(isClearable(field)
          ? [
              makeCase(`${name}: null clears it (Contract 5.1.6)`, {
                before: { [path]: stored },
                fields: { [name]: null },
                stored: { [path]: empty },
              }),
            ]
          : []),
      ];
    });

/** The external method needs the URL. */
export const everyJobField = casesOf(jobFields, jobCase, { applicationUrl: 'https://before.example' });
export const everyCompanyField = casesOf(companyFields, companyCase);

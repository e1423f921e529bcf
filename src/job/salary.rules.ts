import { type FieldReader } from '../fields/field-reader.rules.js';
import { fieldTypes } from '../fields/field-types.rules.js';
import { field, type RowsFor } from '../fields/row.rules.js';
import { payPeriods } from './job-choices.rules.js';
import { type SalaryRange } from './job.record.js';
import { fieldFault, oneOf } from '../errors/field-fault.js';

/** ISO 4217 without metals, international units of account such as XDR, and test codes. */
const currencies =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  );

const noAmount = {
  en: 'At least one of the two amounts is required.',
  fr: 'Au moins un des deux montants est obligatoire.',
};

const object = {
  path: 'salaryRange' as const,
  description:
    'Pay of the job: at least one amount, a currency and a period. Replaces the whole pay; null clears it.',
  check(
    { minimum, maximum, currency, period }: Readonly<Record<string, string | null>>,
    reader: FieldReader,
  ) {
    if (minimum == null && maximum == null)
      for (const field of ['salaryMinimum', 'salaryMaximum'])
        reader.fail({ ...fieldFault.missing(field), message: noAmount });
    for (const [field, value] of Object.entries({ salaryCurrency: currency, salaryPeriod: period }))
      if (value == null) reader.fail(fieldFault.missing(field));
    if (minimum != null && maximum != null && Number(minimum) > Number(maximum))
      reader.fail(
        fieldFault.format('salaryMinimum', {
          en: 'Enter an amount that does not exceed the maximum.',
          fr: 'Saisissez un montant qui ne dépasse pas le maximum.',
        }),
      );
  },
};

const amount = <const As extends string>(as: As, what: string, rest: string) =>
  field(rest, {
    input: {
      as,
      type: fieldTypes.decimal(99_999_999),
      object,
      description: `${what}: 0 to {maximum}, at most two decimals.`,
    },
  });

export const salaryRows = {
  minimum: amount('salaryMinimum', 'Minimum pay', 'salary_minimum'),
  maximum: amount('salaryMaximum', 'Maximum pay', 'salary_maximum'),
  currency: field('salary_currency', {
    input: {
      as: 'salaryCurrency',
      type: fieldTypes.code(currencies, {
        en: 'Enter an ISO 4217 currency such as EUR.',
        fr: 'Saisissez une devise ISO 4217, comme EUR.',
      }),
      object,
      description: 'Currency of the pay, ISO 4217.',
    },
  }),
  period: field('salary_period', {
    input: {
      as: 'salaryPeriod',
      type: fieldTypes.code(payPeriods, oneOf(payPeriods)),
      object,
      description: `Period that the pay is for: ${payPeriods.join(', ')}.`,
    },
  }),
} satisfies RowsFor<SalaryRange>;

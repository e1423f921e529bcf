import { invalid, jobCase, type ParityCase } from './parity-case.js';

const whole = { minimum: '45000', maximum: '52000.5', currency: 'EUR', period: 'year' };
const asSent = {
  salary_minimum: '45000.00',
  salary_maximum: '52000.50',
  salary_currency: 'EUR',
  salary_period: 'year',
};
const empty = { salary_minimum: null, salary_maximum: null, salary_currency: null, salary_period: null };
const blank = { salary_minimum: '', salary_maximum: ' ', salary_currency: '', salary_period: '' };
const none = { minimum: null, maximum: null };

const stores = (title: string, fields: Record<string, unknown>, salaryRange: object | null, before = whole) =>
  jobCase(title, { before: { salaryRange: before }, fields, stored: { salaryRange } });
const refuses = (title: string, fields: Record<string, unknown>, ...faults: string[]) =>
  jobCase(title, { before: { salaryRange: whole }, fields, ...invalid(...faults) });

export const jobPay: readonly ParityCase[] = [
  jobCase('a pay range is stored independently of the salary text (Contract 4.2.12.1)', {
    before: { salary: '40 000 €' },
    fields: asSent,
    stored: { salaryRange: whole },
  }),
  jobCase('sending the stored pay range changes nothing (Contract 4.2.8, 4.2.12.1)', {
    before: { salaryRange: whole },
    fields: asSent,
  }),
  jobCase('updating other fields keeps the pay range (Contract 4.2.12.1)', {
    before: { salaryRange: whole },
    fields: { salary: '1 €' },
    stored: { salary: '1 €' },
  }),
  stores(
    'parts left out of a pay range become empty (Contract 4.2.12.1)',
    { salary_maximum: '20', salary_currency: 'CHF', salary_period: 'hour' },
    { ...none, maximum: '20', currency: 'CHF', period: 'hour' },
  ),
  stores('four nulls clear a pay range (Contract 4.2.12.1)', empty, null),
  stores('one null alone clears a pay range (Contract 4.2.12.1)', { salary_period: null }, null),
  stores('four empty texts clear a pay range (Contract 4.2.12.1)', blank, null),
  stores(
    'an amount may be a JSON number (Contract 4.2.12.2)',
    { ...asSent, salary_minimum: 0.1, salary_maximum: 99_999_999 },
    { ...whole, minimum: '0.1', maximum: '99999999' },
  ),
  stores(
    'equal amounts and zero are stored (Contract 4.2.12.2)',
    { ...asSent, salary_minimum: '00', salary_maximum: '0.00' },
    { ...whole, minimum: '0', maximum: '0' },
  ),
  ...['100000000', '99999999.01', '-1', '1.234', '1,5', '1e3', '0x10', '.5', '5.', 'NaN', '１', '1 000'].map(
    (amount) =>
      refuses(
        `${amount} is not an amount (Contract 4.2.12.2)`,
        { ...asSent, salary_maximum: amount },
        'salary_maximum-format-error',
      ),
  ),
  ...[1e21, -0.5, 0.001, 1e-7].map((amount) =>
    refuses(
      `the number ${amount} is not an amount (Contract 4.2.12.2)`,
      { ...asSent, salary_minimum: amount },
      'salary_minimum-format-error',
    ),
  ),
  ...['eur', 'EURO', 'XXX', '€', 'constructor'].map((currency) =>
    refuses(
      `${currency} is not a currency (Contract 4.2.12.2)`,
      { ...asSent, salary_currency: currency },
      'salary_currency-format-error',
    ),
  ),
  refuses(
    'a capitalised period is a fault (Contract 4.2.12.2)',
    { ...asSent, salary_period: 'Year' },
    'salary_period-format-error',
  ),
  refuses(
    'an amount needs a currency and a period (Contract 4.2.12.3)',
    { salary_minimum: '1' },
    'missing-salary_currency',
    'missing-salary_period',
  ),
  refuses(
    'a currency and a period need an amount (Contract 4.2.12.3)',
    { salary_currency: 'EUR', salary_period: 'day' },
    'missing-salary_minimum',
    'missing-salary_maximum',
  ),
  refuses(
    'a minimum numerically above the maximum is a fault (Contract 4.2.12.3)',
    { ...asSent, salary_minimum: '10', salary_maximum: '9.99' },
    'salary_minimum-format-error',
  ),
  refuses(
    'two faults are reported together, without faults that follow from them (Contract 7.3.1, 4.2.12.3)',
    { salary_minimum: 'a', salary_currency: 'b' },
    'salary_minimum-format-error',
    'salary_currency-format-error',
  ),
  jobCase('a list is not an amount (Contract 4.3.2)', {
    fields: { ...asSent, salary_minimum: ['1', '2'] },
    ...invalid('salary_minimum-must-be-decimal'),
    isRefusedByTypes: true,
  }),
];

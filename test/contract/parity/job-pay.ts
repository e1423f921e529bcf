import { jobCase, type ParityCase } from './parity-case.js';

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
export const jobPay: readonly ParityCase[] = [
  jobCase('a pay range is stored independently of the salary text (Contract 5.8.1)', {
    before: { salary: '40 000 €' },
    fields: asSent,
    stored: { salaryRange: whole },
  }),
  jobCase('sending the stored pay range changes nothing (Contract 5.1.11, 5.8.1)', {
    before: { salaryRange: whole },
    fields: asSent,
  }),
  jobCase('updating other fields keeps the pay range (Contract 5.8.1)', {
    before: { salaryRange: whole },
    fields: { salary: '1 €' },
    stored: { salary: '1 €' },
  }),
  stores(
    'parts left out of a pay range become empty (Contract 5.8.1)',
    { salary_maximum: '20', salary_currency: 'CHF', salary_period: 'hour' },
    { ...none, maximum: '20', currency: 'CHF', period: 'hour' },
  ),
  stores('four nulls clear a pay range (Contract 5.8.1)', empty, null),
  stores('one null alone clears a pay range (Contract 5.8.1)', { salary_period: null }, null),
  stores('four empty texts clear a pay range (Contract 5.8.1)', blank, null),
  stores(
    'an amount may be a JSON number (Contract 5.8.2)',
    { ...asSent, salary_minimum: 0.1, salary_maximum: 99_999_999 },
    { ...whole, minimum: '0.1', maximum: '99999999' },
  ),
  stores(
    'equal amounts and zero are stored (Contract 5.8.2)',
    { ...asSent, salary_minimum: '00', salary_maximum: '0.00' },
    { ...whole, minimum: '0', maximum: '0' },
  ),
];

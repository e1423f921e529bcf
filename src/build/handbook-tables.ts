import { companyIndexes } from '../company/company.mongoose.js';
import { type IndexRow } from '../database/indexes.js';
import { jobIndexes } from '../job/job.mongoose.js';
import { type Operation, operations } from '../operations.js';
import { createMetrics } from '../metrics/metrics.js';
import { type Definition, settingsTable } from '../settings/settings-table.js';

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const settingsRows = Object.values<Definition>(settingsTable).map(({ variable, meaning, default: text }) => [
  `\`${variable}\``,
  text ? `\`${text}\`` : '',
  meaning.replaceAll('|', '\\|'),
]);

const metricsRows = (): string[][] =>
  createMetrics()
    .registry.getMetricsAsArray()
    .filter(({ name }) => name.startsWith('gateway_'))
    .map((metric) => {
      // The types of prom-client leave out the labels.
      const { name, type, help, labelNames } = metric as typeof metric & { labelNames: string[] };
      return [`\`${name}\``, String(type), labelNames.map((label) => `\`${label}\``).join(', '), help];
    });

const indexRows = Object.entries({ jobs: jobIndexes, companies: companyIndexes }).flatMap(
  ([collection, indexes]: [string, readonly IndexRow[]]) =>
    indexes.map(({ key, options, serves }) => [
      `\`${collection}\``,
      Object.keys(key)
        .map((field) => `\`${field}\``)
        .join(', '),
      options?.unique ? 'yes' : '',
      serves,
    ]),
);

/** Root fields that need and spend the same have one row. */
function callRows(): string[][] {
  const rows = new Map<string, { fields: string[]; cells: string[] }>();
  const anyOf = (names: readonly string[] | null) =>
    names ? names.map((name) => `\`${name}\``).join(' or ') : 'none';
  for (const [field, { roles, scopes, bucket, dryRunCost }] of Object.entries<Operation>(operations)) {
    const needed = roles && Object.entries(roles).flatMap(([role, may]) => (may ? [role] : []));
    const dryRun = dryRunCost && `; a dry run ${dryRunCost.units} \`${dryRunCost.bucket}\``;
    const cells = [anyOf(needed), anyOf(scopes), `\`${bucket}\`${dryRun ?? ''}`];
    const row = rows.get(cells.join()) ?? { fields: [], cells };
    rows.set(cells.join(), row);
    row.fields.push(`\`${field}\``);
  }
  return [...rows.values()].map(({ fields, cells }) => [fields.join(', '), ...cells]);
}

/** Replaces each generated table: all text between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function withTables(handbook: string): string {
  const tables = {
    settings: table(['Variable', 'Default', 'Meaning'], settingsRows),
    indexes: table(['Collection', 'Fields', 'Unique', 'Serves'], indexRows),
    metrics: table(['Metric', 'Type', 'Labels', 'Meaning'], metricsRows()),
  };
  let text = handbook;
  for (const [name, printed] of Object.entries(tables)) {
    const between = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=\\n<!-- /${name} -->)`);
    text = text.replace(between, () => `\n${printed}\n`);
  }
  return text;
}

/** Replaces the table of the statement about roles and scopes. */
export const withCalls = (contract: string): string =>
  contract.replace(/(?<=^- \*\*3\.2\.1\*\* [^]*?\n\n)\|[^]*?(?=\n\n)/m, () =>
    table(['call', 'role', 'scope', 'quota'], callRows()),
  );

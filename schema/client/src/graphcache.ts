const parts = [
  'Change',
  'CompanyContent',
  'CompanyVisual',
  'FieldChange',
  'HistoryEntry',
  'JobCount',
  'JobDescription',
  'JobLocation',
  'LocalisedText',
  'Office',
  'Question',
  'QuotaBucket',
  'SalaryRange',
  'Viewer',
  'Warning',
] as const;

/**
 * For urql’s Graphcache: `cacheExchange({ schema, keys: graphcacheKeys })`. These types have no `id`: each is a part of its record.
 * Without this, Graphcache works too, but warns of each.
 */
export const graphcacheKeys = Object.fromEntries(parts.map((part) => [part, () => null])) as Record<
  (typeof parts)[number],
  () => null
>;

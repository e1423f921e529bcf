import { describe, expect, it } from '@jest/globals';
import { getOperationAST, isObjectType, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Complexity } from '../../src/fields/complexity.rules.js';
import { countedArguments, pricing } from '../../src/graphql/bounds/price-operation.js';
import { buildSchema } from '../../src/graphql/schema.js';

const schema = buildSchema();

function requested(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text);
  return { document, operation: getOperationAST(document) ?? undefined, variables };
}
const complexityOf = (text: string, variables = {}) =>
  pricing(schema)(requested(text, variables))?.complexity;
const unitsOf = (text: string, variables = {}) => Math.ceil((complexityOf(text, variables) ?? NaN) / 1_000);
const operation = (name: string) =>
  readFileSync(new URL(`../../schema/operations/${name}.graphql`, import.meta.url), 'utf8');

const media = { mediaPublicId: 'a' };
const list = (more = '') => `jobs(mediaPublicId: "a"${more}) { edges { node { publicId name state } } }`;
const counted = (more = '') =>
  `jobs(mediaPublicId: "a"${more}) { totalCount edges { node { publicId name state } } }`;

describe('the price of an operation', () => {
  it.each<[string, number, string, object?]>([
    ['a job by its id', 1, operation('job'), { publicId: 'a' }],
    ['a company by its id', 1, operation('company'), { ...media, publicId: 'a' }],
    ['a REST page of 50 jobs', 3, operation('jobs'), { ...media, first: 50 }],
    ['a REST page of 100 jobs', 6, operation('jobs'), { ...media, first: 100 }],
    ['a page of changes', 2, operation('changes'), media],
    ['a list by state with its count', 2, `{ ${counted(', filter: { states: [draft] }')} }`],
    ['four lists with their counts', 25, `{ ${[1, 2, 3, 4].map((at) => `a${at}: ${counted()}`).join(' ')} }`],
  ])('of %s is at most %d units', (...[, most, text, variables]) => {
    expect(unitsOf(text, variables)).toBeLessThanOrEqual(most);
  });

  it('of a list that compares conditions behind its index is ten units more', () => {
    const lists: [string, string, boolean][] = [
      ['a name', ', filter: { name: "b" }', true],
      ['a name and states', ', filter: { name: "b", states: [draft] }', true],
      ['writes since an instant', ', filter: { updatedSince: "2026-01-01T00:00:00Z" }', true],
      [
        'writes since an instant, in their order',
        ', filter: { updatedSince: "2026-01-01T00:00:00Z" }, sort: updated_at_desc',
        false,
      ],
      ['states and companies', ', filter: { states: [draft], companyPublicIds: ["b"] }', false],
      ['public ids and a name', ', filter: { publicIds: ["b"], name: "c" }', false],
      ['nothing', ', filter: { name: null }', false],
    ];
    for (const [by, filter, isBehind] of lists)
      expect([by, unitsOf(`{ ${list(filter)} }`)]).toEqual([by, isBehind ? 11 : 1]);
  });

  const page = 'query ($first: Int, $more: Boolean! = true, $filter: JobFilter) {';
  it.each([
    ['its page size', `${page} ${list(', first: $first')} }`, { first: 10 }, { first: 100 }],
    [
      '@include',
      `${page} ${list()} ... @include(if: $more) { more: ${list()} } }`,
      { more: true },
      { more: false },
    ],
    [
      'the fields of a filter',
      `${page} ${list(', filter: $filter')} }`,
      { filter: { name: 'a' } },
      { filter: { name: null } },
    ],
  ])('depends on %s, and not on what was asked before', (_, text, one, other) => {
    const [dear, cheap] = [one, other].map((variables) => complexityOf(text, variables));
    expect(dear).not.toBe(cheap);
    const [priceOf, { document, operation }] = [pricing(schema), requested(text)];
    for (const [variables, complexity] of [
      [one, dear],
      [other, cheap],
      [one, dear],
    ] as const)
      expect(priceOf({ document, operation, variables })?.complexity).toBe(complexity);
  });

  it('is not remembered by values of a megabyte', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const usedMiB = () => (collect(), process.memoryUsage().heapUsed / 2 ** 20);
    const { document, operation } = requested(
      'query ($name: String!) { jobs(mediaPublicId: "a", filter: { name: $name }) { edges { cursor } } }',
    );
    const priceOf = pricing(schema);
    const before = usedMiB();
    for (let at = 10; at < 20; at += 1)
      priceOf({ document, operation, variables: { name: `${at}${'x'.repeat(2 ** 20)}` } });
    expect(usedMiB() - before).toBeLessThan(4);
    expect(priceOf({ document, operation, variables: { name: 'x' } })?.complexity).toBeGreaterThan(0);
  });

  it('counts lists and their counts once for each record around them', () => {
    const nested = (first: number, count = '') =>
      complexityOf(
        `{ media(first: ${first}) { edges { node { jobs(first: 1) { ${count} edges { cursor } } } } } }`,
      )!;
    expect(nested(20) - nested(10)).toBeGreaterThan(10 * 500);
    expect(nested(5, 'totalCount')).toBeGreaterThan(4 * 5_000);
  });

  it('counts the fields of pageInfo for each record around its list', () => {
    const aliased = (count: number) =>
      Array.from({ length: count }, (_, at) => `a${at}: hasNextPage`).join(' ');
    const nested = (count: number) =>
      complexityOf(
        `{ jobs(mediaPublicId: "a", first: 100) { edges { node { history(first: 1) { pageInfo { ${aliased(count)} } } } } } }`,
      )!;
    expect(nested(1_000) - nested(500)).toBeGreaterThanOrEqual(100 * 500 * 0.25);
  });

  it('is nothing for introspection', () => {
    expect(complexityOf('{ __typename __schema { types { name fields { name } } } }')).toBe(0);
  });

  it('is not known where a variable has the wrong type', () => {
    expect(complexityOf(`${page} ${list(', first: $first')} }`, { first: 'ten' })).toBeUndefined();
  });

  it('of mutations tells which are dry runs', () => {
    const text = `mutation ($dry: Boolean! = true) {
      a: updateJob(input: { jobPublicId: "a" }, dryRun: $dry) { job { name } }
      b: updateJob(input: { jobPublicId: "b" }) { job { name } } }`;
    expect(pricing(schema)(requested(text))?.mutations.map(({ isDryRun }) => isDryRun)).toEqual([
      true,
      false,
    ]);
  });

  it('reads only arguments whose variables tell prices apart', () => {
    const read = new Set<string>();
    const args = new Proxy<Record<string, unknown>>(
      { ids: [] },
      {
        get: (target, name) => (read.add(String(name)), target[String(name)]),
      },
    );
    for (const type of Object.values(schema.getTypeMap()))
      if (isObjectType(type))
        for (const { extensions } of Object.values(type.getFields())) {
          const { complexity } = extensions as { complexity?: Complexity };
          if (typeof complexity === 'function') complexity({ args, childComplexity: 1 });
        }
    expect([...read].filter((name) => !countedArguments.has(name))).toEqual([]);
    expect(read.size).toBeGreaterThan(3);
  });
});

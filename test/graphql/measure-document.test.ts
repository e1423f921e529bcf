import { describe, expect, it } from '@jest/globals';
import { getNamedType, getNullableType, getOperationAST, isListType, isObjectType, parse } from 'graphql';
import { measureOperation } from '../../src/graphql/bounds/measure-document.js';
import { fieldWeights, listLengths, weights } from '../../src/graphql/bounds/weights.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { readFileSync } from 'node:fs';
import { everything } from '../support/everything.js';

const schema = buildSchema();
const lengths: Record<string, number> = { sector: 3_000, size: 4 };
const countReferences = (kind: unknown) => lengths[String(kind)] ?? 3_000;

function complexityOf(text: string, variables = {}): number {
  const document = parse(text);
  const operation = getOperationAST(document) ?? undefined;
  return measureOperation({ document, operation, variables }, schema, countReferences).complexity;
}

describe('the complexity of a document (Contract 8.4.4)', () => {
  it('knows the length of each list without pages', () => {
    const lists = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !type.name.startsWith('__') && !type.name.endsWith('Connection')
        ? Object.values(type.getFields()).flatMap(({ name, type: of }) =>
            isListType(getNullableType(of)) ? [`${type.name}.${name}`] : [],
          )
        : [],
    );
    const counted = ['Query.references', 'Query.nodes'];
    expect(lists.filter((list) => !counted.includes(list)).sort()).toEqual(Object.keys(listLengths).sort());
  });

  it.each([
    ['{ references(kind: size) { id name } }', {}, 501 + 4 * 2],
    ['{ references(kind: sector) { id name } }', {}, 501 + 3_000 * 2],
    ['query ($kind: ReferenceKind!) { references(kind: $kind) { id } }', { kind: 'size' }, 501 + 4],
    ['query ($kind: ReferenceKind! = size) { references(kind: $kind) { id } }', {}, 501 + 4],
    ['query ($kind: ReferenceKind!) { references(kind: $kind) { id } }', { kind: 'none' }, 501 + 3_000],
    ['{ nodes(ids: ["a", "b", "c"]) { id ... on Job { name } } }', {}, 501 + 3 * (10 + 2)],
    ['query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b'] }, 501 + 2 * (10 + 1)],
    ['{ job(publicId: "a") { questions { questionId name } } }', {}, 501 + 1 + 100 * 2],
    ['{ job(publicId: "a") { managerEmails recruiterEmails } }', {}, 501 + 2 * (1 + 1)],
    ['{ job(publicId: "a") { jobPosting } }', {}, 501 + 51],
    ['{ company(mediaPublicId: "a", publicId: "b") { mediaPublicIds } }', {}, 501 + 1 + 100],
    [
      '{ jobs(mediaPublicId: "a", first: 3) { edges { node { questions { questionId } } } } }',
      {},
      501 + 3 * (10 + 2 + 1 + 100),
    ],
    [
      '{ jobs(mediaPublicId: "a", filter: { name: "b", states: [draft] }, first: 3) { edges { cursor } } }',
      {},
      10_501 + 36,
    ],
    [
      '{ jobs(mediaPublicId: "a", filter: { name: null }, first: 3) { totalCount } }',
      {},
      501 + 4_500 + 3 * 11,
    ],
    [
      'query ($sort: JobSort) { jobs(mediaPublicId: "a", filter: { states: [draft] }, sort: $sort, first: 3) { edges { cursor } } }',
      { sort: 'published_at_desc' },
      501 + 36,
    ],
    [
      'query ($sort: JobSort) { jobs(mediaPublicId: "a", filter: { states: [draft] }, sort: $sort, first: 3) { edges { cursor } } }',
      { sort: 'updated_at_desc' },
      501 + 36,
    ],
  ])('counts a list as long as it can be: %s with %j', (text, variables, complexity) => {
    expect(complexityOf(text, variables)).toBe(complexity);
  });

  it('is measured again if a variable or a number of references that decides it changes', () => {
    const document = parse(
      'query ($first: Int, $is: Boolean!) { jobs(mediaPublicId: "a", first: $first) { edges { cursor } } references(kind: size) @include(if: $is) { id } }',
    );
    const operation = getOperationAST(document) ?? undefined;
    let sizes = 4;
    const measure = (variables: Record<string, unknown>) =>
      measureOperation({ document, operation, variables }, schema, () => sizes).complexity;
    const page = (first: number) => 501 + first * 12;
    expect(measure({ first: 1, is: false })).toBe(page(1));
    expect(measure({ first: 2, is: false })).toBe(page(2));
    expect(measure({ first: 2, is: false })).toBe(page(2));
    expect(measure({ first: null, is: false })).toBe(page(20));
    expect(measure({ first: 2, is: true })).toBe(page(2) + 505);
    sizes = 5;
    expect(measure({ first: 2, is: true })).toBe(page(2) + 506);
  });

  it('has its weights and lengths in the contract (Contract 8.4.11)', () => {
    const contract = readFileSync(new URL('../../schema/contract.md', import.meta.url), 'utf8');
    const statement = contract.split('**8.4.11**')[1]?.split('\n- **')[0] ?? '';
    const rows = [...statement.matchAll(/^\| (.+?) +\| (\d[\d.]*) +\|$/gm)].map(([, part, number]) => [
      part,
      Number(number),
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      'each field': 1,
      'a field of `Query` or `Mutation`': weights.rootField,
      'each page within a record': weights.page,
      'each list of records within a record': weights.nestedList,
      'each record of a page': weights.record,
      '`totalCount`': weights.totalCount,
      'each list with a filter': weights.filteredList,
      'each element of a list without fields': weights.element,
      ...Object.fromEntries(
        Object.entries({ ...fieldWeights, ...listLengths }).map(([place, number]) => [
          `\`${place}\``,
          number,
        ]),
      ),
    });
  });

  it('is within the default for a page of 30 jobs with every field but the employer, and not for 100', () => {
    const page = (first: number) =>
      complexityOf(
        `{ jobs(mediaPublicId: "a", first: ${first}) { edges { node { ${everything(getNamedType(schema.getType('Job')!) as never, ['history', 'employer'])} } } } }`,
      );
    expect(page(30)).toBeLessThanOrEqual(40_000);
    expect(page(100)).toBeGreaterThan(40_000);
  });
});

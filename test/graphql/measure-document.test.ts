import { describe, expect, it } from '@jest/globals';
import { getNamedType, getNullableType, getOperationAST, isListType, isObjectType, parse } from 'graphql';
import { measureOperation } from '../../src/graphql/bounds/measure-document.js';
import { listLengths } from '../../src/graphql/bounds/weights.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { everything } from '../support/everything.js';

const schema = buildSchema();
const lengths: Record<string, number> = { sector: 3_000, size: 4 };
const countReferences = (kind: unknown) => lengths[String(kind)] ?? 3_000;

function complexityOf(text: string, variables = {}): number {
  const document = parse(text);
  const operation = getOperationAST(document) ?? undefined;
  return measureOperation(schema, { document, operation, variables }, countReferences).complexity;
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
    expect(lists.filter((list) => list !== 'Query.references').sort()).toEqual(
      Object.keys(listLengths).sort(),
    );
  });

  it.each([
    ['{ references(kind: size) { id name } }', {}, 501 + 4 * 2],
    ['{ references(kind: sector) { id name } }', {}, 501 + 3_000 * 2],
    ['query ($kind: ReferenceKind!) { references(kind: $kind) { id } }', { kind: 'size' }, 501 + 4],
    ['query ($kind: ReferenceKind! = size) { references(kind: $kind) { id } }', {}, 501 + 4],
    ['query ($kind: ReferenceKind!) { references(kind: $kind) { id } }', { kind: 'none' }, 501 + 3_000],
    ['{ job(publicId: "a") { questions { id name } } }', {}, 501 + 1 + 100 * 2],
    ['{ job(publicId: "a") { managerEmails recruiterEmails } }', {}, 501 + 2 * (1 + 1)],
    ['{ job(publicId: "a") { jobPosting } }', {}, 501 + 51],
    ['{ company(mediaPublicId: "a", publicId: "b") { mediaPublicIds } }', {}, 501 + 1 + 100],
    [
      '{ jobs(mediaPublicId: "a", first: 3) { edges { node { questions { id } } } } }',
      {},
      501 + 3 * (10 + 2 + 1 + 100),
    ],
  ])('counts a list as long as it can be: %s with %j', (text, variables, complexity) => {
    expect(complexityOf(text, variables)).toBe(complexity);
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

import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
/** A statement is a list item that begins with its number in bold. A heading begins with its number, and means all statements below it. */
const statementPattern = /^- \*\*(\d+(?:\.\d+)*)\*\* /gm;
const headingPattern = /^#+ (\d+(?:\.\d+)*) /gm;
const citationPattern = /\bContract (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)/g;
/** A string on one line that cites a statement: the title of a test, or of a row in a table of tests. */
const titlePattern = /(['"`])((?:\\.|(?!\1)[^\\\n])*?\bContract \d(?:\\.|(?!\1)[^\\\n])*)\1/g;

/** Also across the lines of a comment. */
function citationsIn(text: string): string[] {
  const flat = text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...flat.matchAll(citationPattern)].flatMap(([, numbers = '']) => numbers.split(/, | and /));
}

const proofsIn = (text: string): string[] =>
  [...text.matchAll(titlePattern)].flatMap(([, , title = '']) => citationsIn(title));

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => folder + file)
    .sort();

const contract = read('schema/contract.md');
const numbersOf = (pattern: RegExp) => [...contract.matchAll(pattern)].map(([, number = '']) => number);
const [statements, headings] = [numbersOf(statementPattern), numbersOf(headingPattern)];
/** Tables of tests may have their own files. The citations in this file are only examples. */
const tests = filesIn('test/', /\.ts$/).filter((file) => file !== 'test/contract/conformance.test.ts');

describe('the contract', () => {
  it('has no duplicate numbers', () => {
    const numbers = [...statements, ...headings];
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('has a test for each statement', () => {
    const proved = new Set(tests.flatMap((file) => proofsIn(read(file))));
    expect(statements.filter((number) => !proved.has(number))).toEqual([]);
  });
});

describe('citations of the contract', () => {
  const citing = [...tests, ...filesIn('schema/', /\.(graphql|json)$/), 'schema/contract.md'];

  it('use only numbers that the contract has', () => {
    const known = new Set([...statements, ...headings]);
    const unknown = citing.flatMap((file) =>
      citationsIn(read(file))
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ${number}`),
    );
    expect(unknown).toEqual([]);
  });
});

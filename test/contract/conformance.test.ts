import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import {
  citationsIn,
  conformanceTest,
  numbersOf,
  proofsIn,
  readProofs,
} from '../../src/build/contract-proofs.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => folder + file)
    .sort();

const contract = read('schema/contract.md');
const { statements, headings } = numbersOf(contract);
const proofs = readProofs(root);

describe('the contract', () => {
  it('has no duplicate numbers', () => {
    const numbers = [...statements, ...headings];
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('numbers its statements without gaps', () => {
    const gaps = [...statements, ...headings].filter((number) => {
      const parts = number.split('.').map(Number);
      const last = parts.pop() ?? 0;
      const before = [...parts, last - 1].join('.');
      return last > 1 && ![...statements, ...headings].includes(before);
    });
    expect(gaps).toEqual([]);
  });

  it('has a test for each statement', () => {
    const proved = new Set(proofs.flatMap(({ numbers }) => numbers));
    expect(statements.filter((number) => !proved.has(number))).toEqual([]);
  });
});

describe('citations of the contract', () => {
  const citing = [
    ...filesIn('src/', /\.ts$/),
    ...filesIn('test/', /\.ts$/).filter((file) => !file.endsWith(conformanceTest)),
    ...filesIn('schema/', /\.(graphql|json)$/),
    'schema/contract.md',
  ];

  it('use only numbers that the contract has', () => {
    const known = new Set([...statements, ...headings]);
    const unknown = citing.flatMap((file) =>
      citationsIn(read(file))
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ${number}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are found across comment lines, in lists and before a full stop', () => {
    expect(citationsIn('once (Contract 3.3,\n * 10.2). The order of Contract 7.6.')).toEqual([
      '3.3',
      '10.2',
      '7.6',
    ]);
  });

  it('are found in titles with any quotes or escapes, and next to other strings', () => {
    const text = `it('is one', f); it('the caller\\'s (Contract 5.8)', f); it.each([["b", "two (Contract 1.1)"]])`;
    expect(proofsIn('a.test.ts', text)).toEqual([
      { file: 'a.test.ts', title: "the caller's (Contract 5.8)", numbers: ['5.8'] },
      { file: 'a.test.ts', title: 'two (Contract 1.1)', numbers: ['1.1'] },
    ]);
  });
});

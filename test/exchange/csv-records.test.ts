import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvRecords } from '../../src/exchange/input/csv-records.js';
import { splitLines } from '../../src/exchange/input/split-lines.js';

async function read(text: string, chunkBytes: number) {
  const bytes = Buffer.from(text);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  const records = [];
  for await (const some of csvRecords(splitLines(chunks()))) records.push(...some);
  return records;
}

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r', ';') }),
  fc.string({ unit: 'grapheme' }),
);
const written = (text: string, isQuoted: boolean) =>
  isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

describe('the records of CSV (Contract 12.3.1)', () => {
  it('have the cells that were written, whatever is in them, and the numbers of their first lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 })),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (rows, ending, endsWithLine, chunkBytes) => {
          const texts = rows.map((cells) => cells.map((given) => written(...given)).join(','));
          const expected = rows.flatMap((cells, index) =>
            cells.every(([text]) => text.trim() === '')
              ? []
              : [
                  {
                    number: texts
                      .slice(0, index)
                      .map((text) => text + ending)
                      .join('')
                      .split('\n').length,
                    cells: cells.map(([text]) => text),
                  },
                ],
          );
          const text = texts.join(ending) + (endsWithLine ? ending : '');
          fc.pre(!text.includes('\uFEFF'));
          expect(await read(text, chunkBytes)).toEqual(expected);
        },
      ),
    ));
});

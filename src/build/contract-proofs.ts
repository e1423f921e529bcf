import { readdirSync, readFileSync } from 'node:fs';

/** A statement is a list item that begins with its number in bold. A heading begins with its number. */
const statementPattern = /^- \*\*(\d+(?:\.\d+)*)\*\* /gm;
const headingPattern = /^#+ (\d+(?:\.\d+)*) /gm;
const citationPattern = /\bContract (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)/g;
/** A string on one line that cites a statement: the title of a test, or of a row in a table of tests. */
const titlePattern = /(['"`])((?:\\.|(?!\1)[^\\\n])*?\bContract \d(?:\\.|(?!\1)[^\\\n])*)\1/g;

/** The test that checks the citations of all other tests. Its own citations are only examples. */
export const conformanceTest = 'contract/conformance.test.ts';

/** A test title that cites statements. */
interface Proof {
  file: string;
  title: string;
  numbers: string[];
}

/** The numbers in the contract. Every statement needs a test. A heading means all statements below it. */
export function numbersOf(contract: string): { statements: string[]; headings: string[] } {
  const captured = (pattern: RegExp) => [...contract.matchAll(pattern)].map(([, number = '']) => number);
  return { statements: captured(statementPattern), headings: captured(headingPattern) };
}

/** The numbers that a text cites, whether in code, comments or titles. */
export function citationsIn(text: string): string[] {
  const flat = text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...flat.matchAll(citationPattern)].flatMap(([, numbers = '']) => numbers.split(/, | and /));
}

/** Every test title that cites statements. Reads all files in `test/`, because tables of tests may have their own files. */
export function readProofs(root: URL): Proof[] {
  return readdirSync(new URL('test/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== conformanceTest)
    .sort()
    .flatMap((file) => proofsIn(`test/${file}`, readFileSync(new URL(`test/${file}`, root), 'utf8')));
}

/** The titles in a test file that cite statements. */
export function proofsIn(file: string, text: string): Proof[] {
  return [...text.matchAll(titlePattern)].map(([, , title = '']) => ({
    file,
    title: title.replace(/\\(.)/g, '$1'),
    numbers: citationsIn(title),
  }));
}

/** Lists the tests that prove each statement. */
export function printProofs(contract: string, proofs: readonly Proof[]): string {
  const titlesOf = (number: string) =>
    proofs
      .filter(({ numbers }) => numbers.includes(number))
      .map(({ file, title }) => `  - ${file}: ${asText(title)}\n`)
      .join('');
  const { statements } = numbersOf(contract);
  return `# What proves the contract

Each statement of the contract, with the tests that cite it in their titles.

${statements.map((number) => `- ${number}\n${titlesOf(number)}`).join('')}`;
}

/** A title without its citation, which the list already shows, and with Markdown characters escaped. */
const asText = (title: string): string =>
  title.replace(/\s*\([^()]*\bContract \d[^()]*\)/g, '').replace(/[\\`*_<>[\]|]/g, '\\$&');

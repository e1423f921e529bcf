import { readdirSync, readFileSync } from 'node:fs';

/** A statement is an item of a list that begins with its number in bold; a heading has its number first. */
const statementPattern = /^- \*\*(\d+(?:\.\d+)*)\*\* /gm;
const headingPattern = /^#+ (\d+(?:\.\d+)*) /gm;
const citationPattern = /\bContract (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)/g;
/** A string of one line that cites a statement: the title of a test, or of a row in its table. */
const titlePattern = /(['"`])((?:\\.|(?!\1)[^\\\n])*?\bContract \d(?:\\.|(?!\1)[^\\\n])*)\1/g;

/** It proves the other tests' citations; its own are examples. */
export const conformanceTest = 'contract/conformance.test.ts';

/** A title of a test that cites statements, and the file that it stands in. */
interface Proof {
  file: string;
  title: string;
  numbers: string[];
}

/** The numbers of the contract: statements, each of which needs a proof, and headings, which stand for what is under them. */
export function numbersOf(contract: string): { statements: string[]; headings: string[] } {
  const captured = (pattern: RegExp) => [...contract.matchAll(pattern)].map(([, number = '']) => number);
  return { statements: captured(statementPattern), headings: captured(headingPattern) };
}

/** The numbers that a text cites, in code, comments or titles alike. */
export function citationsIn(text: string): string[] {
  const flat = text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...flat.matchAll(citationPattern)].flatMap(([, numbers = '']) => numbers.split(/, | and /));
}

/** Every title of the suite that cites statements; titles of table rows may stand in files of their own. */
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

/** The list of the tests that prove each statement. @throws Error that names each statement without a test */
export function printProofs(contract: string, proofs: readonly Proof[]): string {
  const { statements } = numbersOf(contract);
  const titlesOf = (number: string) =>
    proofs
      .filter(({ numbers }) => numbers.includes(number))
      .map(({ file, title }) => `  - ${file}: ${asText(title)}\n`)
      .join('');
  const unproved = statements.filter((number) => !titlesOf(number));
  if (unproved.length > 0) throw new Error(`no test names these statements: ${unproved.join(', ')}`);
  return `# What proves the contract

The tests that name each statement of [contract.md](contract.md) in their title. \`npm run emit\` writes this list.

<!-- prettier-ignore-start -->

${statements.map((number) => `- ${number}\n${titlesOf(number)}`).join('')}
<!-- prettier-ignore-end -->
`;
}

/** A title without its citation, which the list gives already, and without what Markdown would take for its own. */
const asText = (title: string): string =>
  title.replace(/\s*\([^()]*\bContract \d[^()]*\)/g, '').replace(/[\\`*_<>[\]|]/g, '\\$&');

import { visit } from 'jsonc-parser';

const foundFirst = new Error('found the first fault');

/**
 * The token at which a text stops being JSON, by its line and character, both from 1; undefined if it is JSON. V8 gives the place of some
 * faults only. The parser is recursive, so the text must not be nested thousands deep.
 */
export function jsonFault(text: string): { line: number; character: number } | undefined {
  let fault: ReturnType<typeof jsonFault>;
  const onError = (_code: number, _index: number, _length: number, line: number, character: number) => {
    fault = { line: line + 1, character: character + 1 };
    // A text can have a million faults.
    throw foundFirst;
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error !== foundFirst) throw error;
  }
  return fault;
}

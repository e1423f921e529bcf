import { visit } from 'jsonc-parser';

interface JsonFault {
  /** Where the token begins in the text, from 0. */
  index: number;
  /** From 1, like the character. CR ends a line, too. */
  line: number;
  character: number;
}

const foundFirst = new Error('found the first fault');

/**
 * The token at which a text stops being JSON; undefined if it is JSON. V8 gives the place of some faults only. The parser is recursive, so
 * the text must not be nested thousands deep.
 */
export function jsonFault(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined;
  const onError = (_code: number, index: number, _length: number, line: number, character: number) => {
    fault = { index, line: line + 1, character: character + 1 };
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

const space = /[ \t\n\r]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const plain = /[ !#-[\]-\uffff]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The end of a pattern's match at `at`, or `at` if there is no match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/**
 * The index of the first wrong character, or the length of a text that ends too early; null for valid JSON. V8 reports the position for
 * some errors only.
 */
export function findJsonFault(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'firstOrEnd' | 'key' | 'colon' | 'next' = 'value';
  let at = 0;
  for (;;) {
    at = endOf(space, text, at);
    const inside = open.at(-1);
    if (expected === 'next' && !inside) return at === text.length ? null : at;
    const character = text[at];
    const isName: boolean = inside === '{' && (expected === 'key' || expected === 'firstOrEnd');
    if (character === (inside === '{' ? '}' : ']') && (expected === 'next' || expected === 'firstOrEnd')) {
      open.pop();
      expected = 'next';
      at += 1;
    } else if (expected === 'next' || expected === 'colon') {
      if (character !== (expected === 'next' ? ',' : ':')) return at;
      expected = expected === 'next' && inside === '{' ? 'key' : 'value';
      at += 1;
    } else if (character === '"') {
      at = endOfString(text, at + 1);
      if (text[at] !== '"') return at;
      expected = isName ? 'colon' : 'next';
      at += 1;
    } else if (isName) {
      return at;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = 'firstOrEnd';
      at += 1;
    } else {
      const end = endOf(scalar, text, at);
      if (end === at) return at;
      expected = 'next';
      at = end;
    }
  }
}

/** Both count from 1. */
export function placeOfJsonFault(text: string): { line: number; character: number } {
  const lines = text.slice(0, findJsonFault(text) ?? 0).split('\n');
  return { line: lines.length, character: (lines.at(-1) ?? '').length + 1 };
}

/** The index of the closing quotation mark, or of the first character that is not allowed in a string. */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    const end = endOf(plain, text, at);
    at = endOf(escape, text, end);
    if (at === end) return end;
  }
}

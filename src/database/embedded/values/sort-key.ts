import type { Binary, ObjectId } from 'bson';
import { bsonType, type BsonDocument } from './document.js';

/** The index key of an empty array; sorts before null. */
export const ABSENT_KEY = '0';
/** The sort key of null and of a missing field. */
export const NULL_KEY = '1';
/** Ends a text, an array or a document. The lowest character, so that `a` sorts before `ab`. */
const END = '\0';

const float = new DataView(new ArrayBuffer(8));

/** Keys compare with `<` and `===` in MongoDB's order, also across types, and can be joined into the key of a tuple. */
export function sortKey(value: unknown): string {
  if (value === null || value === undefined) return NULL_KEY;
  if (typeof value === 'number') return '2' + numberKey(value);
  if (typeof value === 'string') return '3' + textKey(value) + END;
  if (typeof value === 'boolean') return value ? '8t' : '8f';
  if (Array.isArray(value)) return '5' + value.map(sortKey).join('') + END;
  if (value instanceof Date) return '9' + numberKey(value.getTime());
  if (value instanceof RegExp) return ':' + textKey(value.source) + END + value.flags + END;
  if (bsonType(value) === 'ObjectId') return '7' + (value as ObjectId).toHexString();
  if (bsonType(value) === 'Binary') return '6' + binaryKey(value as Binary);
  return '4' + documentKey(value as BsonDocument) + END;
}

/** Range operators match only values of the operand's type. */
export const typeBracket = (key: string): string => key.charAt(0);

/** The bits of a double, arranged to sort like the numbers; NaN is the lowest. */
function numberKey(value: number): string {
  if (Number.isNaN(value)) return '\0\0\0\0\0\0\0\0';
  // Adding zero turns -0 into 0: MongoDB treats them as equal.
  float.setFloat64(0, value + 0);
  const high = float.getUint32(0);
  const isNegative = high >>> 31 === 1;
  return (
    word(isNegative ? ~high >>> 0 : (high | 0x80000000) >>> 0) +
    word(isNegative ? ~float.getUint32(4) >>> 0 : float.getUint32(4))
  );
}

const word = (bits: number): string =>
  String.fromCharCode(bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);

/** UTF-8 bytes, one character per byte: MongoDB orders text by bytes. */
function textKey(text: string): string {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 2 || code > 127) return escapedBytes(text);
  }
  return text;
}

function escapedBytes(text: string): string {
  let key = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    key += byte === 0 ? '\x01\x01' : byte === 1 ? '\x01\x02' : String.fromCharCode(byte);
  }
  return key;
}

const binaryKey = (value: Binary): string =>
  word(value.length()) + String.fromCharCode(value.sub_type) + Buffer.from(value.value()).toString('latin1');

/** Documents compare field by field: first the type, then the name, then the value. */
function documentKey(document: BsonDocument): string {
  let key = '';
  for (const name of Object.keys(document)) {
    const value = sortKey(document[name]);
    key += value.charAt(0) + textKey(name) + END + value.slice(1);
  }
  return key;
}

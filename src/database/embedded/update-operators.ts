import { hasOperator, isDocument, typeName, type BsonDocument } from './bson-document.js';
import { pushInto } from './array-push.js';
import { compileFilter, type Filter } from './filter.js';
import { compareValues, sortKey } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

export interface UpdateOperator {
  /** Whether it makes the documents that are missing on the way to its field. */
  creates: boolean;
  /** Reads the operand once for all documents. @throws StoreError for an operand that MongoDB refuses */
  compile(operand: unknown, path: string): (current: unknown) => unknown;
}

/**
 * The update operators by name, but for those that move or remove a field. Written here because mingo does
 * nothing where MongoDB raises an error, and does not say whether it did.
 */
export const updateOperators: Record<string, UpdateOperator> = {
  $set: creating((operand) => () => operand),
  $setOnInsert: creating((operand) => () => operand),
  $inc: creating((operand, path) => {
    const amount = numberOperand(operand, path, 'increment');
    return (current) => exact(numberAt(current, path, '$inc') + amount, current, amount);
  }),
  $mul: creating((operand, path) => {
    const factor = numberOperand(operand, path, 'multiply');
    return (current) => exact(numberAt(current, path, '$mul') * factor, current, factor);
  }),
  $min: creating((operand) => (current) => extreme(current, operand, -1)),
  $max: creating((operand) => (current) => extreme(current, operand, 1)),
  $currentDate: creating((operand) => {
    if (isDocument(operand) && operand.$type === 'timestamp') throw notSupported('A timestamp');
    if (typeof operand !== 'boolean' && !(isDocument(operand) && operand.$type === 'date')) {
      throw new StoreError('BadValue', `${typeName(operand)} is not valid type for $currentDate.`);
    }
    return () => new Date();
  }),
  $bit: creating((operand) => {
    const steps = Object.entries(isDocument(operand) ? operand : {});
    if (
      steps.length === 0 ||
      steps.some(([name, bits]) => !['and', 'or', 'xor'].includes(name) || !isInt32(bits))
    ) {
      throw notSupported('$bit with anything but and, or and xor of 32-bit integers');
    }
    return (current) =>
      steps.reduce((bits, [name, mask]) => bitwise(name, bits, Number(mask)), int32At(current));
  }),
  $push: creating((operand, path) => {
    const push = pushInto(operand);
    return (current) => {
      if (current !== undefined && !Array.isArray(current)) {
        const found = `must be an array but is of type ${typeName(current)}`;
        throw new StoreError('BadValue', `The field '${path}' ${found}`);
      }
      return push((current ?? []) as unknown[]);
    };
  }),
  $addToSet: creating((operand, path) => {
    const added: unknown = isDocument(operand) && '$each' in operand ? operand.$each : [operand];
    if (!Array.isArray(added))
      throw new StoreError('TypeMismatch', 'The argument to $each in $addToSet must be an array');
    return (current) => {
      if (current !== undefined && !Array.isArray(current)) {
        const found = `Field named '${path}' has non-array type ${typeName(current)}`;
        throw new StoreError('BadValue', `Cannot apply $addToSet to non-array field. ${found}`);
      }
      const present = (current ?? []) as unknown[];
      const keys = new Set(present.map(sortKey));
      const isNew = (element: unknown) => keys.size < keys.add(sortKey(element)).size;
      return [...present, ...(added as unknown[]).filter(isNew)];
    };
  }),
  $pop: existing((operand, path) => {
    if (operand !== 1 && operand !== -1) {
      throw new StoreError('FailedToParse', `$pop expects 1 or -1, found: ${String(operand)}`);
    }
    return (current) => {
      if (Array.isArray(current)) return (current as unknown[]).slice(...(operand === 1 ? [0, -1] : [1]));
      throw new StoreError(
        'TypeMismatch',
        `Path '${path}' contains an element of non-array type '${typeName(current)}'`,
      );
    };
  }),
  $pull: existing((operand) => {
    const isPulled = pullTest(operand);
    return (current) => arrayAt(current, '$pull').filter((element) => !isPulled({ element }));
  }),
  $pullAll: existing((operand) => {
    if (!Array.isArray(operand)) throw new StoreError('BadValue', '$pullAll requires an array argument');
    const keys = new Set(operand.map(sortKey));
    return (current) => arrayAt(current, '$pullAll').filter((element) => !keys.has(sortKey(element)));
  }),
};

function creating(compile: UpdateOperator['compile']): UpdateOperator {
  return { creates: true, compile };
}

/** An operator that has nothing to do where its field is missing. */
function existing(compile: UpdateOperator['compile']): UpdateOperator {
  return {
    creates: false,
    compile: (operand, path) => {
      const change = compile(operand, path);
      return (current) => (current === undefined ? undefined : change(current));
    },
  };
}

function numberOperand(operand: unknown, path: string, verb: string): number {
  if (typeof operand === 'number') return operand;
  throw new StoreError(
    'TypeMismatch',
    `Cannot ${verb} with non-numeric argument: {${path}: ${typeName(operand)}}`,
  );
}

function numberAt(current: unknown, path: string, operator: string): number {
  if (current === undefined) return 0;
  if (typeof current === 'number') return current;
  const found = `has the field '${path}' of non-numeric type ${typeName(current)}`;
  throw new StoreError(
    'TypeMismatch',
    `Cannot apply ${operator} to a value of non-numeric type. The document ${found}`,
  );
}

/** MongoDB counts on in 64-bit integers where a JavaScript number is no longer exact. */
function exact(result: number, ...operands: unknown[]): number {
  const isInexact = Number.isInteger(result) && !Number.isSafeInteger(result);
  if (isInexact && operands.every((operand) => Number.isSafeInteger(operand ?? 0))) {
    throw notSupported('An integer beyond 2^53');
  }
  return result;
}

function extreme(current: unknown, operand: unknown, sign: 1 | -1): unknown {
  return current === undefined || compareValues(operand, current) * sign > 0 ? operand : current;
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

function int32At(current: unknown): number {
  if (current === undefined) return 0;
  if (isInt32(current)) return current;
  if (typeof current === 'number') throw notSupported('$bit on anything but a 32-bit integer');
  throw new StoreError('BadValue', `Cannot apply $bit to a value of non-integral type ${typeName(current)}`);
}

function bitwise(name: string, bits: number, mask: number): number {
  return name === 'and' ? bits & mask : name === 'or' ? bits | mask : bits ^ mask;
}

function arrayAt(current: unknown, operator: string): unknown[] {
  if (Array.isArray(current)) return current;
  throw new StoreError('BadValue', `Cannot apply ${operator} to a non-array value`);
}

/** The condition of `$pull`: operators on the element, a filter for documents, or a value to equal. */
function pullTest(operand: unknown): Filter {
  if (!isDocument(operand) || hasOperator(operand)) return compileFilter({ element: operand });
  const filter = compileFilter(operand);
  return ({ element }: BsonDocument) => isDocument(element) && filter(element);
}

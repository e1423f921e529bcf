import { type FieldFault } from '../errors/field-fault.js';

/** Stands for a value that could not be read, until the rules report its faults with those of the other fields. */
export class Unread {
  readonly faults: readonly FieldFault[];

  constructor(...faults: readonly FieldFault[]) {
    this.faults = faults;
  }
}

/** By field or parameter. REST makes them the root value of its operation, because GraphQL would reject them as variables. */
export type UnreadValues = Record<string, Unread>;

/** The unread values come first, in the order in which their faults are reported. They replace an empty text that GraphQL required. */
export const withUnread = (input: object, unread: UnreadValues | undefined): object =>
  unread ? { ...unread, ...input, ...unread } : input;

/** The faults of the values that could not be read, in their order. @param names default: all */
export const unreadIn = (values: unknown, names?: readonly string[]): FieldFault[] =>
  Object.entries(Object(values) as object).flatMap(([name, value]: [string, unknown]) =>
    value instanceof Unread && (names?.includes(name) ?? true) ? value.faults : [],
  );

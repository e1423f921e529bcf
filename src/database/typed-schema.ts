import { Schema, type SchemaDefinition, type SchemaOptions } from 'mongoose';
import { type LocalisedText } from '../errors/catalogue.js';
import { type FieldTable, isClearable } from '../fields/fields.rules.js';

/** For a union, the keys of all members. */
type KeyOf<Stored> = Stored extends unknown ? Exclude<keyof Stored, '_id'> : never;
type ValueAt<Stored, Key extends PropertyKey> = Stored extends { [K in Key]?: infer Value } ? Value : never;
type Paths<Stored> = Required<SchemaDefinition<{ [Key in KeyOf<Stored>]: ValueAt<Stored, Key> }>>;

/** Requires a path for every field of a record: Mongoose silently drops fields without a path. */
export const typedSchema = <Stored>(paths: Paths<Stored>, options?: SchemaOptions<Stored>): Schema<Stored> =>
  new Schema<Stored>(paths as never, options as never);

const text = { type: String, required: true } as const;

export const localisedPath = { type: { en: text, fr: text } satisfies Paths<LocalisedText>, _id: false };

/** The paths of the fields that callers may write. */
export function storedPaths(table: FieldTable): SchemaDefinition {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const field of Object.values(table)) {
    const { stored, cleared, choices } = field.type;
    const type = Array.isArray(cleared) ? [Schema.Types[stored]] : Schema.Types[stored];
    const [key = '', part] = field.path.split('.');
    if (part !== undefined) (paths[key] ??= {})[part] = type;
    else
      paths[key] = {
        type,
        required: !isClearable(field),
        ...(choices && { enum: choices }),
      };
  }
  return paths;
}

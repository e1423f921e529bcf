import { Field, ObjectType } from 'type-graphql';
import { type Language } from '../errors/catalogue.js';
import { excerpt } from '../errors/excerpt.js';
import { type Warning, warningMessages } from './warning.js';

@ObjectType('Warning', {
  simpleResolvers: true,
  description: 'Something that was accepted but not applied, or was changed on the way in (Contract 7.5).',
})
export class WarningType {
  @Field(() => String, {
    description:
      'Machine code: `name-immutable`, `html-cleaned`, `logo-url-ignored`, `location-unresolved` or `unknown-field`.',
  })
  code!: string;

  @Field(() => String, { description: 'The input field that it is about.' })
  field!: string;

  @Field(() => String, { description: 'Human text, in the language asked for.' })
  message!: string;
}

/** How many unknown fields get a warning. A caller who sends more has not just misspelt a name. */
const mostUnknownFields = 20;

/**
 * The warnings of a payload, with one for each of the first unknown fields (Contract 4.3.4); null if there are none. They
 * belong to the payload, so that a repeated call is shown those of the first one (Contract 9.3.1).
 */
export function toWarnings(
  warnings: readonly Warning[],
  { language, unknownFields }: { language: Language; unknownFields: readonly string[] },
): WarningType[] | null {
  const ignored = unknownFields
    .slice(0, mostUnknownFields)
    .map((field): Warning => ({ code: 'unknown-field', field: excerpt(field) }));
  const all = [...warnings, ...ignored];
  if (all.length === 0) return null;
  return all.map(({ code, field }) => ({ code, field, message: warningMessages[code][language] }));
}

import { Field, ObjectType } from 'type-graphql';
import { type Language } from '../errors/catalogue.js';
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

/** The warnings of a payload; null if there are none. */
export function toWarnings(warnings: readonly Warning[], language: Language): WarningType[] | null {
  if (warnings.length === 0) return null;
  return warnings.map(({ code, field }) => ({
    code,
    field,
    message: warningMessages[code][language],
  }));
}

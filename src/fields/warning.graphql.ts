import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { choiceEnum } from './field.graphql.js';
import { field, type RowsFor } from './row.rules.js';
import { type WarningView } from './warning.js';

const WarningCodeEnum = choiceEnum(
  'WarningCode',
  'What was not applied, or changed. REST writes the codes with hyphens.',
);

/** By its keys over REST. */
export const warningRows = {
  code: field('code'),
  field: field('field'),
  message: field('message'),
} satisfies RowsFor<WarningView>;

@ObjectType('Warning', {
  simpleResolvers: true,
  description: 'A part of the request that was accepted but not applied, or changed before it was stored.',
})
export class WarningType implements WarningView {
  @Field(() => WarningCodeEnum, { description: 'What was not applied, or changed.' })
  code!: WarningView['code'];

  @Field(() => String, { description: 'The input field.' })
  field!: string;

  @Field(() => String, { description: 'A sentence in the requested language.' })
  message!: string;
}

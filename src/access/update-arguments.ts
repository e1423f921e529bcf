import { ArgsType, Field, Int } from 'type-graphql';
import { type UpdateControl } from '../history/update-control.js';
import { callerOf, type RequestContext } from './request-context.js';

/** What both mutations take beside their input. */
@ArgsType()
export class UpdateArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'The version that the caller has seen; any other is refused with version-conflict (Contract 9.1).',
  })
  expectedVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A key of the caller’s choice, 1 to 255 visible ASCII characters: within 24 hours a repeated call is answered like the first and not run again (Contract 9.3).',
  })
  idempotencyKey?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Every check and the would-be result, but no write (Contract 9.4).',
  })
  dryRun!: boolean;
}

/** What a service is told about an update besides its input. */
export const controlOf = (
  context: RequestContext,
  { expectedVersion, dryRun }: UpdateArguments,
): UpdateControl => ({
  origin: {
    actor: callerOf(context).subject,
    transport: context.transport,
    requestId: context.requestId,
  },
  readFaults: context.readFaults,
  expectedVersion,
  isDryRun: dryRun,
  call: context.call,
});

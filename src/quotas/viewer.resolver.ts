import 'reflect-metadata';
import { Ctx, Resolver } from 'type-graphql';
import { choiceEnum, buildObjectType } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';
import { type Caller } from '../tokens/caller.js';
import { callerOf, type NamedBucket, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';

const RoleEnum = choiceEnum('Role', 'What a caller may act on.', {
  media_admin: 'Every record of its media.',
  media_partner: 'The records that it created.',
  brand_admin: 'The companies of its brand, and their jobs.',
});

const ScopeEnum = choiceEnum('Scope', 'What a caller may do.');

const QuotaNameEnum = choiceEnum('QuotaName', 'Which operations spend the units of a quota.', {
  updateJob: 'The mutation `updateJob`.',
  mutation: 'All other mutations.',
  read: 'Queries.',
});

const quotaBucket = {
  description: 'The current state of a quota.',
  fields: {
    name: field('QuotaName!', 'Which operations spend the units.', null),
    limit: field('Int!', 'Units of a full bucket.', null),
    remaining: field('Int!', 'Units left.', null),
    resetSeconds: field('Int!', 'Whole seconds until the bucket is full; 0 if it is full.', null),
  } satisfies RowsFor<NamedBucket>,
};

const viewer = {
  description: 'The caller, as its token describes it.',
  fields: {
    subject: field(
      'String!',
      'The token’s subject, after the prefix of its identity provider, if any.',
      null,
    ),
    roles: field('[Role!]!', 'The token’s roles, by the gateway’s names.', null),
    scopes: field('[Scope!]!', 'The token’s scopes, by the gateway’s names.', null),
    media: field(
      '[String!]',
      'Public ids of the media that the token may act in; null if neither the token nor its identity provider names any.',
      null,
    ),
    brand: field('String', 'Public id of the token’s brand, if any.', null),
    expiresAt: field('DateTimeISO!', 'When the token expires, UTC.', null),
    quotas: field('[QuotaBucket!]!', 'The state of each quota after this query.', null, { of: quotaBucket }),
  } satisfies RowsFor<Viewer> & Record<keyof Caller, object>,
};

const ViewerType = buildObjectType('Viewer', viewer, {
  Role: RoleEnum,
  Scope: ScopeEnum,
  QuotaName: QuotaNameEnum,
});

type Viewer = Awaited<ReturnType<ViewerResolver['viewer']>>;

@Resolver()
export class ViewerResolver {
  @RootField('viewer', () => ViewerType, 'The caller, and what its token allows.')
  async viewer(@Ctx() context: RequestContext) {
    const { subject, roles, scopes, media, brand, expiresAt } = callerOf(context, 'viewer');
    return {
      subject,
      roles: [...roles],
      scopes: [...scopes],
      media: media ? [...media] : null,
      brand: brand ?? null,
      expiresAt,
      quotas: [...((await context.cost.charge) ?? [])],
    };
  }
}

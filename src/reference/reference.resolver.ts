import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql';
import { type RequestContext } from '../access/request-context.js';
import { type ReferenceKind } from '../content/reference-book.js';
import { type ReferenceService } from './reference.service.js';
import { ReferenceKindEnum, ReferenceType, toReference } from './reference.types.js';

@Resolver()
export class ReferenceResolver {
  constructor(private readonly references: ReferenceService) {}

  @Directive('@rateLimit(limit: 50, duration: 1)')
  @Query(() => [ReferenceType], {
    name: 'references',
    nullable: true,
    description: 'All reference records of a kind, by public id (Contract 2.4).',
  })
  async list(
    @Arg('kind', () => ReferenceKindEnum, { description: 'What they classify.' }) kind: ReferenceKind,
    @Ctx() { language }: RequestContext,
  ): Promise<ReferenceType[]> {
    const book = await this.references.read();
    return book.list(kind).map((record) => toReference(record, language));
  }
}

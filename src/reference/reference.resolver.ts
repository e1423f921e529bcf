import 'reflect-metadata';
import { Arg, Ctx, Resolver } from 'type-graphql';
import { type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { type ReferenceKind, toReference } from '../fields/reference-snapshot.js';
import { type ReferenceService } from './reference.service.js';
import { ReferenceKindEnum, ReferenceType } from './reference.graphql.js';

@Resolver()
export class ReferenceResolver {
  constructor(private readonly references: ReferenceService) {}

  @RootField('references', () => [ReferenceType], 'All reference records of a kind, sorted by public id.')
  async list(
    @Arg('kind', () => ReferenceKindEnum, { description: 'What the records classify.' }) kind: ReferenceKind,
    @Ctx() { language }: RequestContext,
  ): Promise<ReferenceType[]> {
    const snapshot = await this.references.read();
    return snapshot.list(kind).map((record) => toReference(record, language));
  }
}

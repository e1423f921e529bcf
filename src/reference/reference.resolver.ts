import 'reflect-metadata';
import { Arg, Ctx, Resolver } from 'type-graphql';
import { type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { elements, rootComplexity } from '../fields/complexity.rules.js';
import { choiceEnum } from '../fields/field.graphql.js';
import { describedKinds, type ReferenceKind, toReference } from '../fields/reference-snapshot.js';
import { type ReferenceService } from './reference.service.js';
import { ReferenceType } from './reference.graphql.js';
import { referenceOrder } from './reference.rules.js';

const ReferenceKindEnum = choiceEnum('ReferenceKind', 'What a reference record classifies.', describedKinds);

@Resolver()
export class ReferenceResolver {
  constructor(private readonly references: ReferenceService) {}

  @RootField('references', () => [ReferenceType], `All reference records of a kind. ${referenceOrder}`, {
    // However many there are: a price does not depend on what the process has read.
    complexity: (of) => elements(of.args.kind === 'sector' ? 120 : 50, rootComplexity)(of),
  })
  async list(
    @Arg('kind', () => ReferenceKindEnum, { description: 'What the records classify.' }) kind: ReferenceKind,
    @Ctx() { language }: RequestContext,
  ): Promise<ReferenceType[]> {
    const snapshot = await this.references.read();
    return snapshot.list(kind, language).map((record) => toReference(record, language));
  }
}

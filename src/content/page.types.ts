import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { choiceEnum } from './field.types.js';
import { defaultPage, largestPage, type ListSort, type Page } from './page.js';

const ListSortEnum = choiceEnum<ListSort>('ListSort', 'The order of a list.', {
  public_id: 'By public id.',
  updated_at_desc:
    'The last written first, those that 1.0.0 wrote last at the end. A record that changes while somebody pages may come twice, or not at all.',
});

/** What every list takes (Contract 4.4.6). */
@ArgsType()
export class PageArguments {
  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultPage,
    description: `How many, 1 to ${largestPage}; null is the default.`,
  })
  first!: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor after which the page begins.' })
  after?: string | null;
}

/** What every list of a media takes. */
@ArgsType()
export class ListArguments extends PageArguments {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only those with this text in their name, whatever the case.',
  })
  name?: string | null;

  @Field(() => ListSortEnum, {
    nullable: true,
    defaultValue: ListSortEnum.public_id,
    description: 'The order; null is the default. A cursor is of one order.',
  })
  sort!: ListSort | null;
}

@ObjectType('PageInfo', { simpleResolvers: true, description: 'Where a page is in its list.' })
class PageInfoType {
  @Field(() => Boolean, { description: 'Whether there is more after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there is something before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item; null on an empty page.' })
  endCursor!: string | null;
}

/** The type of the schema for a page of a list, and with it that of the page's edges. */
export function connectionType(
  name: string,
  nodeType: ClassType<object>,
  description: { page: string; items: string; edge: string; item: string },
): ClassType<Page<object>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: description.edge })
  class EdgeType {
    @Field(() => String, { description: 'For `after`.' })
    cursor!: string;

    @Field(() => nodeType, { description: description.item })
    node!: object;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: description.page })
  class ConnectionType {
    @Field(() => [EdgeType], { description: description.items })
    edges!: EdgeType[];

    @Field(() => PageInfoType, { description: 'Where the page is.' })
    pageInfo!: PageInfoType;

    @Field(() => Int, {
      nullable: true,
      description: 'How many there are on all pages together; null when there are more than 10 000.',
    })
    totalCount?: number | null;
  }

  return ConnectionType;
}

import 'reflect-metadata';
import { ArgsType, type ClassType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { fieldComplexity } from '../fields/complexity.rules.js';
import { PublicId } from '../fields/field.graphql.js';
import { type FilterTable } from './field-filter.rules.js';
import { countMark } from './page-complexity.rules.js';
import { defaultPage, largestPage, type Page } from './page.js';

/** The orders that every list of records has. */
export const listOrders = {
  public_id: 'By public id.',
  updated_at_desc:
    'Latest change first. A record that changes between requests for two pages can appear twice or be missed.',
};

export const sortOptions = {
  nullable: true,
  defaultValue: 'public_id',
  description:
    'Null means the default. A cursor of another order is refused. A list by `publicIds` has their order instead.',
} as const;

/** The arguments of every list. */
@ArgsType()
export class PageArguments {
  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultPage,
    description: `Page size, 1 to ${largestPage}. Null means the default.`,
  })
  first!: number | null;

  @Field(() => String, { nullable: true, description: 'The page starts after this cursor.' })
  after?: string | null;
}

/** The fields that the filters of all lists of records share. */
@InputType()
export abstract class NameFilter {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only records with these public ids, at most 100, in this order. Each page looks at the next `first` of them, and leaves out absent records.',
  })
  publicIds?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only records whose name contains every word of this text, in any order. Words can be parts of words. Compares without case, accents and ligatures; apostrophes and kinds of space are alike. Characters after the first 256 are ignored.',
  })
  name?: string | null;
}

/** Adds to a filter what follows from the rows of its records. */
export function addFilters(input: ClassType<object>, table: FilterTable): void {
  for (const [name, filter] of Object.entries(table)) {
    const type = 'references' in filter ? [String] : String;
    Field(() => type as ClassType, { nullable: true, description: filter.description })(
      input.prototype,
      name,
    );
  }
}

@ArgsType()
export class MediaArgument {
  @PublicId('Public id of the media.')
  mediaPublicId!: string;
}

@ObjectType('PageInfo', { simpleResolvers: true, description: 'The position of a page in its list.' })
class PageInfoType implements PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether items precede this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item; null on an empty page.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor to continue from if more items follow: that of the last item, or of a later place up to which the list has looked. Otherwise the cursor of the last item, and null on an empty page; but `changes` with `after` always gives a new cursor.',
  })
  endCursor!: string | null;
}

type PageInfo = Page<object>['pageInfo'];

export function connectionType(
  name: string,
  nodeType: ClassType<object>,
  description: { page: string; items: string; edge: string; item: string },
): ClassType<object> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: description.edge })
  class EdgeType {
    @Field(() => String, { description: 'Cursor of this item, for `after`.' })
    cursor!: string;

    @Field(() => nodeType, { description: description.item })
    node!: object;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: description.page })
  class ConnectionType implements Omit<Page<object>, 'totalCount'> {
    // The list around it multiplies what is below by the size of the page, also what it has once.
    @Field(() => [EdgeType], { description: description.items, complexity: 0 })
    edges!: EdgeType[];

    @Field(() => PageInfoType, {
      description: 'The position of the page in the list.',
      complexity: ({ childComplexity }) => (fieldComplexity + childComplexity) / 2,
    })
    pageInfo!: PageInfo;

    @Field(() => Int, {
      nullable: true,
      description:
        'The number of items on all pages; 10 001 means more. Null if counting would look at too many.',
      complexity: countMark,
    })
    totalCount!: number | null;
  }
  return ConnectionType;
}

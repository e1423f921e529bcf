import 'reflect-metadata';
import { ArgsType, type ClassType, Field, InputType, Int } from 'type-graphql';
import { fieldComplexity } from '../fields/complexity.rules.js';
import { buildObjectType, PublicId } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';
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

const pageInfo = {
  description: 'The position of a page in its list.',
  fields: {
    hasNextPage: field('Boolean!', 'Whether more items follow this page.', null),
    hasPreviousPage: field('Boolean!', 'Whether items precede this page.', null),
    startCursor: field('String', 'Cursor of the first item; null on an empty page.', null),
    endCursor: field(
      'String',
      'Cursor to continue from if more items follow: that of the last item, or of a later place up to which the list has looked. Otherwise the cursor of the last item, and null on an empty page; but `changes` with `after` always gives a new cursor.',
      null,
    ),
  } satisfies RowsFor<Page<object>['pageInfo']>,
};

export function connectionType(
  name: string,
  nodeType: ClassType<object>,
  description: { page: string; items: string; edge: string; item: string },
): ClassType<object> {
  const edge = {
    description: description.edge,
    fields: {
      cursor: field('String!', 'Cursor of this item, for `after`.', null),
      node: field('Item!', description.item, null),
    },
  };
  const fields = {
    // The list around it multiplies what is below by the size of the page, also what it has once.
    edges: field(`[${name}Edge!]!`, description.items, null, { of: edge, complexity: 0 }),
    pageInfo: field('PageInfo!', 'The position of the page in the list.', null, {
      of: pageInfo,
      complexity: ({ childComplexity }) => (fieldComplexity + childComplexity) / 2,
    }),
    totalCount: field(
      'Int',
      'The number of items on all pages; 10 001 means more. Null if counting would look at too many.',
      null,
      {
        complexity: countMark,
      },
    ),
  };
  return buildObjectType(`${name}Connection`, { description: description.page, fields }, { Item: nodeType });
}

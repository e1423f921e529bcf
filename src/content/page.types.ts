import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { defaultPage, largestPage } from './page.js';

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

@ObjectType('PageInfo', { simpleResolvers: true, description: 'Where a page is in its list.' })
export class PageInfoType {
  @Field(() => Boolean, { description: 'Whether there is more after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there is something before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item; null on an empty page.' })
  endCursor!: string | null;
}

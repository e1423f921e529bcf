import { type RequestContext, type Stage } from '../../permissions/request-context.js';
import { type CompanyType } from '../../company/company.graphql.js';
import { type Selection, selectionOf, selectionOnType } from '../selection/selection.js';
import { type Page } from '../../paging/page.js';
import { type ReferenceKind, toReference } from '../../fields/reference-snapshot.js';
import { DomainError } from '../../errors/domain-error.js';
import { postingFor } from '../../job/job.resolver.js';
import { type JobType } from '../../job/job.graphql.js';
import { type ReferenceService } from '../../reference/reference.service.js';

/** A node says its type, because the field has that of an interface. */
type Answered = object & { __typename?: string };

/**
 * Bounds the bytes of the reply: a page ends before an item that does not fit, and any other answer is refused. A mutation has changed its
 * record, so it is always answered.
 * @throws DomainError payload-too-large; for a page, if its first item alone exceeds a whole reply: no cursor could get past it
 */
export const boundAnswer =
  (references: ReferenceService): Stage =>
  async (next, parent, args: { after?: string | null }, context, info) => {
    const answer: unknown = await next(parent, args, context, info);
    if (typeof answer !== 'object' || answer === null) return answer;
    const { budget } = context;
    const derived = derivedIn(references, context);
    const fits = (object: object, selection: Selection | undefined): boolean => {
      if (!selection) return true;
      const bytes = (ofText: TextBytes) => answerBytes(object, selection, derived, ofText);
      return budget.takeReply(bytes(mostTextBytes), () => bytes(textBytes));
    };
    const isEmpty = budget.isReplyEmpty;
    const selection = selectionOf(info);
    if (!('edges' in answer)) {
      const isFitting = [answer as Answered | (Answered | null)[]]
        .flat()
        .every(
          (each) =>
            each === null || fits(each, each.__typename ? selectionOnType(each.__typename, info) : selection),
        );
      if (isFitting || info.parentType.name === 'Mutation') return answer;
      throw new DomainError('payload-too-large');
    }
    const page = answer as Page<object>;
    const end = page.edges.findIndex((edge) => !fits(edge, selection.get('edges')?.below));
    if (end === -1) return page;
    if (end === 0 && isEmpty) throw new DomainError('payload-too-large');
    return endedAt(end, page, args.after ?? null);
  };

const endedAt = (
  end: number,
  { edges, pageInfo, ...page }: Page<object>,
  after: string | null,
): Page<object> => ({
  ...page,
  edges: edges.slice(0, end),
  pageInfo: {
    ...pageInfo,
    hasNextPage: true,
    startCursor: end > 0 ? pageInfo.startCursor : null,
    endCursor: edges[end - 1]?.cursor ?? after,
  },
});

/** The fields that have a resolver of their own. Each page within a record is bounded by itself. */
function derivedIn(references: ReferenceService, context: RequestContext): Derived {
  const named = (kind: ReferenceKind, ids: readonly string[]) =>
    ids.map((id) => {
      const record = references.loaded.find(kind, id);
      return record && toReference(record, context.language);
    });
  return new Map<string, (object: never) => unknown>([
    ...['history', 'jobs', 'companies'].map((page) => [page, () => null] as const),
    ['jobPosting', (job: JobType) => postingFor(job)(context)],
    [
      'sizeReference',
      ({ sizeReference, size }: CompanyType) => named('size', [sizeReference ?? size ?? []].flat())[0],
    ],
    [
      'sectorReferences',
      ({ sectorReferences, sectors }: CompanyType) => named('sector', sectorReferences ?? sectors),
    ],
  ]);
}

/** Values of fields that a resolver of their own computes, by name. */
type Derived = ReadonlyMap<string, (object: never) => unknown>;

/** The size of a text in JSON. */
type TextBytes = (text: string) => number;

const bytesOf = { null: 4, brackets: 2, comma: 1, date: 26, scalar: 8 };

/** JSON writes a UTF-16 unit with at most six bytes, as in `\u001f`. */
const mostTextBytes: TextBytes = (text) => bytesOf.brackets + 6 * text.length;

/** The size of an object in the JSON reply: each field counts as often as the document selects it. */
function answerBytes(object: object, selection: Selection, derived: Derived, ofText: TextBytes): number {
  let bytes = 0;
  for (const [name, field] of selection) {
    const derive = derived.get(name);
    const value = derive ? derive(object as never) : (object as Record<string, unknown>)[name];
    bytes += field.nameBytes + valueBytes(value, field, derived, ofText);
  }
  return bytes;
}

function valueBytes(
  value: unknown,
  field: { below: Selection; times: number },
  derived: Derived,
  ofText: TextBytes,
): number {
  const { below, times } = field;
  if (value === null || value === undefined) return bytesOf.null * times;
  if (typeof value === 'string') return ofText(value) * times;
  if (typeof value !== 'object') return bytesOf.scalar * times;
  if (value instanceof Date) return bytesOf.date * times;
  if (Array.isArray(value)) {
    let bytes = bytesOf.brackets * times;
    for (const each of value) bytes += bytesOf.comma * times + valueBytes(each, field, derived, ofText);
    return bytes;
  }
  return below.size > 0
    ? bytesOf.brackets * times + answerBytes(value, below, derived, ofText)
    : Buffer.byteLength(JSON.stringify(value)) * times;
}

const textBytes: TextBytes = (text) => Buffer.byteLength(JSON.stringify(text));

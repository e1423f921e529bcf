import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { allOf, type Query } from '../paging/query.rules.js';
import { asBytes, decode } from '../paging/reply-budget.js';
import { largestPage, type ListRequest, type Page, readPage } from '../paging/page.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { type MediaRecord } from './media.record.js';

/** The first call after this time still gets the old media, and reloads the media in the background. */
const freshForMs = 1_000;

/** A page needs as many to be full, and to know that more follow. For a brand, each is a seek of an index. */
const mostLookedAt = 2 * largestPage;

/** The media that a caller reaches: those that match and, of these, those that the stages keep. */
export interface ReachedMedia {
  where: Query;
  having: readonly Document[];
}

/** Caches media that exist; looks up unknown ids each time. */
export class MediaService {
  private readonly known = new Map<string, { media: MediaRecord; readAtMs: number }>();

  constructor(
    private readonly records: Collection<MediaRecord>,
    private readonly clock: () => Date,
  ) {}

  /** @throws the driver’s error if an uncached media cannot be read */
  async find(publicId: string): Promise<MediaRecord | null> {
    const nowMs = this.clock().getTime();
    const known = this.known.get(publicId);
    if (!known) return this.read(publicId, nowMs);
    if (nowMs - known.readAtMs >= freshForMs) {
      known.readAtMs = nowMs;
      // If the read fails, the next call tries again.
      this.read(publicId, nowMs).catch(() => (known.readAtMs = -Infinity));
    }
    return known.media;
  }

  /** A page of the media that a caller reaches. It ends early once it has looked at `mostLookedAt` media. */
  async page({ where, having }: ReachedMedia, request: ListRequest): Promise<Page<MediaRecord>> {
    const { records } = this;
    const { first, order, ranges } = request;
    const { sort } = order;
    const within = allOf(where, ...ranges.map(({ query }) => query));
    const stages = [{ $match: within }, { $sort: sort }, { $limit: mostLookedAt }, ...having];
    return request.counted(
      async () => {
        const ends = { sort, skip: mostLookedAt - 1, limit: 2, projection: { _id: 0, publicId: 1 } };
        const [last, next] = having.length > 0 ? await records.find(within, ends).toArray() : [];
        const page = [...stages, { $limit: first + 1 }];
        const read = async function* () {
          yield await records.aggregate<Uint8Array>(page, { ...asBytes, ...allInOneBatch }).toArray();
        };
        const end = last && next ? order.placeAfter(last, next) : null;
        return readPage<MediaRecord>({ read, decode, end }, request, async (all) => all);
      },
      async (limit) => {
        const looked = await records.countDocuments(where, { limit });
        if (having.length === 0) return looked;
        if (looked > mostLookedAt) return null;
        return (await records.aggregate([{ $match: where }, ...having], allInOneBatch).toArray()).length;
      },
    );
  }

  private async read(publicId: string, nowMs: number): Promise<MediaRecord | null> {
    const media = await this.records.findOne({ publicId });
    if (media) this.known.set(publicId, { media, readAtMs: nowMs });
    else this.known.delete(publicId);
    return media;
  }
}

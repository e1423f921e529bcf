import { type Collection } from 'mongoose';
import { allOf } from '../paging/query.rules.js';
import { asBytes } from '../paging/answer-budget.js';
import { type Page, type PageRequest, readPage } from '../paging/page.js';
import { type MediaRecord } from './media.model.js';

/** The first call after this time still gets the old media, and reloads the media in the background. */
const freshForMs = 1_000;

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

  /** A page of the media with these public ids. */
  async page(publicIds: readonly string[], request: PageRequest): Promise<Page<MediaRecord>> {
    const filter = { publicId: { $in: publicIds } };
    return request.counted(
      async () =>
        readPage<MediaRecord>(
          {
            read: async () =>
              this.records.find<Uint8Array>(allOf(filter, request.query), {
                ...asBytes,
                sort: request.order.sort,
                limit: request.first + 1,
              }),
            last: null,
          },
          request,
          async (read) => read,
        ),
      async (limit) => this.records.countDocuments(filter, { limit }),
    );
  }

  private async read(publicId: string, nowMs: number): Promise<MediaRecord | null> {
    const media = await this.records.findOne({ publicId });
    if (media) this.known.set(publicId, { media, readAtMs: nowMs });
    else this.known.delete(publicId);
    return media;
  }
}

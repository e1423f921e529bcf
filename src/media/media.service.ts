import { type Model } from 'mongoose';
import { type MediaRecord } from './media.model.js';

/** Changes and removals by another process are seen within this time. */
const freshForMs = 1_000;

/** Finds media by public id. A media found is kept for a second; an id without a media is looked up each time. */
export class MediaService {
  private readonly known = new Map<string, { media: MediaRecord; readAtMs: number }>();

  constructor(
    private readonly model: Model<MediaRecord>,
    private readonly clock: () => Date,
  ) {}

  async find(publicId: string): Promise<MediaRecord | null> {
    const nowMs = this.clock().getTime();
    const known = this.known.get(publicId);
    if (known && nowMs - known.readAtMs < freshForMs) return known.media;
    const media = await this.model.findOne({ publicId }).lean<MediaRecord>();
    if (media) this.known.set(publicId, { media, readAtMs: nowMs });
    else this.known.delete(publicId);
    return media;
  }
}

import { type Collection } from 'mongoose';
import { type MediaRecord } from './media.model.js';

/**
 * For how long a media is taken as it was read. The next call after that still gets the old one, and starts a read without
 * waiting for it: another process's change is seen within this time or, after a pause, at the second call.
 */
const freshForMs = 1_000;

/** Finds media by public id. A media that was found is kept; an id without a media is looked up each time. */
export class MediaService {
  private readonly known = new Map<string, { media: MediaRecord; readAtMs: number }>();

  constructor(
    private readonly records: Collection<MediaRecord>,
    private readonly clock: () => Date,
  ) {}

  /** The media; null if there is none. @throws the driver’s error if one that is not known yet cannot be read */
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

  private async read(publicId: string, nowMs: number): Promise<MediaRecord | null> {
    const media = await this.records.findOne({ publicId });
    if (media) this.known.set(publicId, { media, readAtMs: nowMs });
    else this.known.delete(publicId);
    return media;
  }
}

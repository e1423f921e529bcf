import { DomainError } from '../../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../../errors/field-fault.js';
import { LogoFormatError } from './logo-format-error.js';
import { type LogoImage, normaliseLogo } from './logo-image.js';
import { type LogoStore } from './logo-store.js';
import { LogoWaitError } from './logo-wait-error.js';
import { type HeldFile } from './uploaded-file.js';

/** What became of the file of a request: an image, or the fault of the field. Neither where there was no file. */
export interface LogoRead {
  image?: LogoImage;
  faults: FieldFault[];
}

const malformed = fieldFault.format('logo', {
  en: 'a whole PNG, JPEG, WebP or GIF image of at most 4096 pixels a side',
  fr: 'une image PNG, JPEG, WebP ou GIF entière d’au plus 4096 pixels de côté',
});

/** Takes logos in, keeps them while a company points at them, and removes them when none does (Contract 4.1.7). */
export class LogoService {
  constructor(
    private readonly dependencies: {
      store: LogoStore;
      /** Whether a company points at the logo with this hash. */
      isUsed: (hash: string) => Promise<boolean>;
      /** Told of a removal that failed; the next sweep of orphans makes up for it. */
      report: (error: unknown) => void;
      /** Told of each file that was refused because too many wait to be decoded. */
      onShed: () => void;
    },
  ) {}

  /**
   * Reads the file of a request: an image, or the fault of the field.
   * @throws DomainError service-unavailable where too many wait to be decoded (Contract 4.1.7.9)
   */
  async read(upload: Promise<HeldFile> | null | undefined): Promise<LogoRead> {
    if (!upload) return { faults: [] };
    const file = await upload;
    try {
      const image = await normaliseLogo(file.bytes);
      await file.holdMore(image.bytes.length);
      return { image, faults: [] };
    } catch (error) {
      if (error instanceof LogoFormatError) return { faults: [malformed] };
      if (!(error instanceof LogoWaitError)) throw error;
      this.dependencies.onShed();
      throw new DomainError('service-unavailable', { retryAfterSeconds: 5, cause: error });
    }
  }

  /** Stores the image around the write that makes a company point at it, so that it is there when this resolves. */
  attach<T>(image: LogoImage, writeRecord: () => Promise<T>): Promise<T> {
    return this.dependencies.store.attach(image, writeRecord);
  }

  /** Removes the file in the background if no company points at it any more. */
  removeUnused(hash: string): void {
    const { store, isUsed, report } = this.dependencies;
    store.removeUnless(hash, () => isUsed(hash)).catch(report);
  }

  /** Removes what crashes have left, as {@link LogoStore.removeOrphans} says. */
  removeOrphans(olderThanMs: number, goOn: () => Promise<boolean>): Promise<number> {
    const { store, isUsed } = this.dependencies;
    return store.removeOrphans(isUsed, olderThanMs, goOn);
  }
}

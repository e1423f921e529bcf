import { fieldFault, type FieldFault } from '../../errors/field-fault.js';
import { type LogoImage } from './logo-image.js';
import { LogoFormatError } from './logo-format-error.js';
import { LogoIntake } from './logo-intake.js';
import { type LogoStore } from './logo-store.js';
import { uploadError } from './upload-error.js';
import { type UploadedFile } from './uploaded-file.js';

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
  private readonly intake: LogoIntake;

  constructor(
    private readonly dependencies: {
      store: LogoStore;
      /** Whether a company points at the logo with this hash. */
      isUsed: (hash: string) => Promise<boolean>;
      /** Told of a removal that failed; the next sweep of orphans makes up for it. */
      report: (error: unknown) => void;
      maxBytes: number;
    },
  ) {
    this.intake = new LogoIntake(dependencies.maxBytes);
  }

  /** Reads the file of a request, if there is one. @throws DomainError payload-too-large, body-format-error */
  async read(upload: Promise<UploadedFile> | null | undefined): Promise<LogoRead> {
    if (!upload) return { faults: [] };
    try {
      const file = await upload;
      return { image: await this.intake.receive(file.createReadStream()), faults: [] };
    } catch (error) {
      if (error instanceof LogoFormatError) return { faults: [malformed] };
      throw uploadError(error);
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
}

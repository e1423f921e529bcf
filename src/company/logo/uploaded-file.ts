import { type Readable } from 'node:stream';

/** A file of a request, as either door hands it on: its stream can be read once. */
export interface UploadedFile {
  createReadStream(): Readable;
}

import { isRecord } from './is-record.js';

/** Declared here, so that the package compiles in Node.js. */
interface Request {
  status: number;
  responseText: string;
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: FormData): void;
  abort(): void;
}
declare const XMLHttpRequest: new () => Request;

export interface Upload {
  /** The address of the gateway, such as `https://gateway.example`. */
  gateway: string;
  token: string;
  mediaPublicId: string;
  companyPublicId: string;
  logo: Blob;
  /** The language of messages; default: the browser's. */
  language?: 'en' | 'fr';
  /** Called with the part of the request that has left, from 0 to 1. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
}

/** Why the gateway refused a logo. `message` can stand beside the input. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  constructor(
    message: string,
    /** The catalogue's code; null if the gateway was not reached. */
    readonly code: string | null,
    readonly status: number,
    /** The parameters of the fault, such as `{ maximumBytes: 5242880 }`. */
    readonly parameters: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/**
 * Stores a logo with `PATCH /companies`, and reports its progress, which `fetch` cannot. Read the company again afterwards: `merge` takes
 * its new version and the URL of its logo.
 * @throws UploadError; the signal's reason if it aborts
 */
export async function uploadLogo(upload: Upload): Promise<void> {
  const { gateway, token, mediaPublicId, companyPublicId, logo, language, onProgress, signal } = upload;
  const body = new FormData();
  body.append('media_public_id', mediaPublicId);
  body.append('company_public_id', companyPublicId);
  body.append('logo', logo, 'logo');
  signal?.throwIfAborted();
  const request = new XMLHttpRequest();
  request.open('PATCH', `${gateway}/companies`);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  if (language) request.setRequestHeader('accept-language', language);
  request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
  await new Promise<void>((resolve, reject) => {
    request.onload = () => (request.status < 300 ? resolve() : reject(errorIn(request)));
    request.onerror = () => reject(new UploadError('The gateway cannot be reached.', null, 0));
    request.onabort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function errorIn({ status, responseText }: Request): UploadError {
  let body: unknown = null;
  try {
    body = JSON.parse(responseText);
  } catch {
    // A proxy's page.
  }
  const { error, errorMessage, errors } = isRecord(body) ? body : {};
  const [fault] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const { message, parameters } = isRecord(fault) ? fault : {};
  return new UploadError(
    [message, errorMessage, `HTTP ${status}`].find((text) => typeof text === 'string') ?? '',
    typeof error === 'string' ? error : null,
    status,
    isRecord(parameters) ? parameters : {},
  );
}

const largestBytes = 256 * 1_024;

/** Fetches a key set of at most 256 KiB, without redirects. @returns unchecked JSON @throws Error that gives the cause, and not the URL */
export async function fetchKeyDocument(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal,
      headers: { accept: 'application/jwk-set+json, application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`expected status 200, not ${response.status}`);
    }
    return JSON.parse(await boundedText(response)) as unknown;
  } catch (cause) {
    throw new Error('the key set cannot be fetched', { cause });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > largestBytes) throw new Error(`expected at most ${largestBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

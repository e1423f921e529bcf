/** A field or, from a buffer, the file of a PNG. */
export type Part = [name: string, value: string | Buffer];

export function multipartOf(parts: readonly Part[]): FormData {
  const multipart = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') multipart.append(name, value);
    else multipart.append(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'logo.png');
  }
  return multipart;
}

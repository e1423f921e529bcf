import { describe, expect, it } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { keepCompressed } from '../../src/http/document-route.js';

describe('keepCompressed', () => {
  it('compresses a text once for each encoding', async () => {
    const compressed = keepCompressed();
    const [first, second] = [compressed('a page', 'br'), compressed('a page', 'br')];
    expect(second).toBe(first);
    expect(brotliDecompressSync(await first).toString()).toBe('a page');
    expect(gunzipSync(await compressed('a page', 'gzip')).toString()).toBe('a page');
  });

  it('drops the text that was asked for longest ago, so hosts that a stranger invents take no memory', async () => {
    const compressed = keepCompressed(2);
    const first = compressed('1', 'br');
    await Promise.all([compressed('2', 'br'), compressed('1', 'br'), compressed('3', 'br')]);
    expect(compressed('1', 'br')).toBe(first);
    const second = compressed('2', 'br');
    expect(compressed('2', 'br')).toBe(second);
    expect(compressed('3', 'br')).not.toBe(compressed('1', 'br'));
  });
});

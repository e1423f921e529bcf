import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
/** The release, from `package.json`. */
export const { version } = JSON.parse(text) as { version: string };

import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import { transformSync } from '@swc/core';

const isTypeScript = /\.ts(\?\d+)?$/;
const globals = new URL('globals.mjs', import.meta.url).href;
const options = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  sourceMaps: 'inline',
  swcrc: false,
};

/** Resolves `.js` imports to their `.ts` sources, and `@jest/globals` to `globals.mjs`. */
export const resolve = (specifier, context, next) => {
  if (specifier === '@jest/globals') {
    const { search } = new URL(context.parentURL);
    return { url: `${globals}${search}`, shortCircuit: true };
  }
  const isOfSource = specifier.startsWith('.') && isTypeScript.test(context.parentURL);
  return next(isOfSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
};

export function load(url, context, next) {
  if (!isTypeScript.test(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}

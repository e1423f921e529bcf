import { type IMiddlewareGenerator, middleware } from 'graphql-middleware';
import type * as GraphqlShield from 'graphql-shield';
import { createRequire } from 'node:module';
import util from 'node:util';

// graphql-shield 7.6.5 takes `isUndefined` from Node.js' `util`, which no longer has it since Node.js 23, so its ES
// modules cannot be loaded there. Its CommonJS build looks the function up when it calls it, and so finds the one
// given here. A test fails once the package no longer needs it: then import graphql-shield itself, and delete this
// file.
Object.assign(util, { isUndefined: (value: unknown) => value === undefined });
const commonJs = createRequire(import.meta.url)('graphql-shield') as typeof GraphqlShield;

export const { rule } = commonJs;

/** Does the same as graphql-shield's own, with the graphql-middleware that the rest of the gateway imports. */
export function shield<TSource, TContext, TArgs>(
  ...options: Parameters<typeof GraphqlShield.shield<TSource, TContext, TArgs>>
): IMiddlewareGenerator<TSource, TContext, TArgs> {
  const generator = commonJs.shield<TSource, TContext, TArgs>(...options);
  return middleware<TSource, TContext, TArgs>((schema) => generator.generate(schema));
}

import { type IMiddlewareGenerator, middleware } from 'graphql-middleware';
import type * as GraphqlShield from 'graphql-shield';
import { createRequire } from 'node:module';

// graphql-shield 7.6.5 takes `isUndefined` from Node.js' `util`, which no longer has it since Node.js 23, so its ES
// modules cannot be loaded there. Its CommonJS build looks the function up only where `chain` or `race` is at work,
// which nothing here uses. A test fails once the package no longer needs it: then import graphql-shield itself, and
// delete this file.
const commonJs = createRequire(import.meta.url)('graphql-shield') as typeof GraphqlShield;

export const { allow, rule } = commonJs;

/** Does the same as graphql-shield's own, with the graphql-middleware that the rest of the gateway imports. */
export function shield<TSource, TContext, TArgs>(
  ...options: Parameters<typeof GraphqlShield.shield<TSource, TContext, TArgs>>
): IMiddlewareGenerator<TSource, TContext, TArgs> {
  const generator = commonJs.shield<TSource, TContext, TArgs>(...options);
  return middleware<TSource, TContext, TArgs>((schema) => generator.generate(schema));
}

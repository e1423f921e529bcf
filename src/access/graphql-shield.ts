import { type IMiddlewareGenerator, middleware } from 'graphql-middleware';
import type * as GraphqlShield from 'graphql-shield';
import { createRequire } from 'node:module';

// The ES modules of graphql-shield 7.6.5 import `isUndefined` from `util`, which Node.js 23 removed. The CommonJS build calls
// `isUndefined` only in `chain` and `race`, which we don't use. A test fails once the package is fixed: then delete this file.
const commonJs = createRequire(import.meta.url)('graphql-shield') as typeof GraphqlShield;

export const { allow, rule } = commonJs;

/** `shield`, built on the same copy of graphql-middleware as our other middleware. */
export function shield<TSource, TContext, TArgs>(
  ...options: Parameters<typeof GraphqlShield.shield<TSource, TContext, TArgs>>
): IMiddlewareGenerator<TSource, TContext, TArgs> {
  const generator = commonJs.shield<TSource, TContext, TArgs>(...options);
  return middleware<TSource, TContext, TArgs>((schema) => generator.generate(schema));
}

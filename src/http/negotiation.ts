import { type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** A parameter of a media type other than its weight, `q`. */
const parameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/**
 * The media type that `Accept` prefers, undefined if it accepts none of them. Parameters such as `charset` and `profile` don't count:
 * each type here has one form only.
 */
export function preferredType<Type extends string>(
  { headers: { accept } }: Pick<FastifyRequest, 'headers'>,
  types: readonly Type[],
): Type | undefined {
  const headers = { accept: accept?.replace(parameter, '') };
  return new Negotiator({ headers }).mediaType([...types]) as Type | undefined;
}

import { type IMiddlewareFunction } from 'graphql-middleware';
import { type RequestContext } from './request-context.js';

/** The arguments of an operation that name a media, in its input or beside it. */
export interface MediaArguments {
  mediaPublicId?: string;
  input?: { mediaPublicId: string };
}

/** Takes spaces from around the public id of a media before anything asks for the media, as every other id is taken. */
export const trimMediaId: IMiddlewareFunction<unknown, RequestContext, MediaArguments> = async (
  resolve,
  parent,
  { mediaPublicId, input, ...others }: MediaArguments,
  context,
  info,
) => {
  const args: MediaArguments = {
    ...others,
    ...(mediaPublicId !== undefined && { mediaPublicId: mediaPublicId.trim() }),
    ...(input && { input: { ...input, mediaPublicId: input.mediaPublicId.trim() } }),
  };
  return resolve(parent, args, context, info) as unknown;
};

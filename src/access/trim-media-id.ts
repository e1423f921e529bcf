import { type IMiddlewareFunction } from 'graphql-middleware';
import { type RequestContext } from './request-context.js';

/** The arguments of an operation that name a media, in its input or beside it. */
export interface MediaArguments {
  mediaPublicId?: string;
  input?: { mediaPublicId: string };
}

/** Trims the public id of a media before anything looks the media up; the field checks trim every other id. */
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

import { type ApolloServerPlugin } from '@apollo/server';
import { type RequestContext } from '../access/request-context.js';
import { type SettleReply } from './settle-reply.js';

/** Gives every reply of Apollo's its described errors, its HTTP status and headers, and the state of the quota. */
export const replyPlugin = (settle: SettleReply): ApolloServerPlugin<RequestContext> => ({
  requestDidStart: async ({ request }) => {
    // GraphQL over HTTP takes an empty name for none.
    if (request.operationName === '') delete request.operationName;
    return {
      willSendResponse: async ({ response, errors = [], contextValue: context, document }) => {
        if (response.body.kind !== 'single') return;
        const { singleResult: result } = response.body;
        const { status, headers } = await settle({
          result,
          errors,
          document,
          operationName: request.operationName,
          context,
        });
        if (status !== undefined) response.http.status = status;
        for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      },
    };
  },
});

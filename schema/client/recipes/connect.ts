import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { gatewayLink, type GatewayLinkOptions, typePolicies } from 'recruitment-gateway-client/apollo';

/** The options can show when an operation waits for its quota or for a retry. */
export const connect = (uri: string, token: string, options?: GatewayLinkOptions) =>
  new ApolloClient({
    link: ApolloLink.from([
      gatewayLink(options),
      new UploadHttpLink({ uri, headers: { authorization: `Bearer ${token}` } }),
    ]),
    cache: new InMemoryCache({ typePolicies }),
  });

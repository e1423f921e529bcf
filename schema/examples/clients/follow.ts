/** Keeps a copy of a media's jobs and companies in copy.json. You can kill it at any time: the next start resumes. */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CompanyDocument, JobDocument } from 'recruitment-gateway-client';
import { followChanges, gatewayLink } from 'recruitment-gateway-client/apollo';

const { GATEWAY_URL = '', TOKEN = '', MEDIA: media = '' } = process.env;
const http = new HttpLink({ uri: `${GATEWAY_URL}/graphql`, headers: { authorization: `Bearer ${TOKEN}` } });
const client = new ApolloClient({
  link: ApolloLink.from([gatewayLink(), http]),
  cache: new InMemoryCache(),
  defaultOptions: { query: { fetchPolicy: 'no-cache' } },
});

interface Copy {
  after: string | null;
  records: Record<string, { version: number; record: unknown }>;
}
const file = 'copy.json';
const copy: Copy = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Copy)
  : { after: null, records: {} };

for await (const { changes, after } of followChanges(client, { media, after: copy.after })) {
  for (const { kind, publicId, state, version } of changes) {
    const name = `${kind} ${publicId}`;
    delete copy.records[name];
    if (state === 'gone') continue;
    const variables = { publicId, mediaPublicId: media };
    // A refusal ends the script before the copy is written, so the next start reads the page again.
    const { data } = await (kind === 'job'
      ? client.query({ query: JobDocument, variables: { publicId } })
      : client.query({ query: CompanyDocument, variables }));
    copy.records[name] = { version, record: data };
  }
  copy.after = after;
  writeFileSync(`${file}.new`, JSON.stringify(copy), { flush: true });
  renameSync(`${file}.new`, file);
}

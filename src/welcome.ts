import { signDeveloperToken } from './access/developer-token.js';
import { type Keys } from './access/keys.js';
import { type Database } from './database/connect.js';
import { isIntrospectionOn } from './graphql/bounds/schema-rules.js';
import { type Settings } from './settings/settings.js';

/** The text that a developer sees at start. */
export async function welcome(
  settings: Settings,
  { url, keys, database }: { url: string; keys: Keys; database: Database },
): Promise<string> {
  const token = await signDeveloperToken(keys, settings, new Date());
  const hasExplorer = isIntrospectionOn(settings);
  const authorization = `-H 'Authorization: Bearer ${token ?? '<ACCESS_TOKEN>'}'`;
  const document =
    'mutation($input: UpdateJobInput!) { updateJob(input: $input) { job { publicId salary state } warnings { message } } }';
  const variables = {
    input: {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
      salary: '55 000 €',
    },
  };
  return `
  GraphQL  ${url}/graphql${hasExplorer ? `   Apollo Sandbox in a browser; ${url}/explorer   GraphiQL, offline` : ''}
  REST     ${url}/companies   ${url}/jobs/{job_public_id}   ${url}/docs   interactive reference
  Health   ${url}/health   ${url}/ready   ${url}/metrics
  Store    ${database.description}
  Key      ${keys.description}

  Update a job through GraphQL:

curl -sS --fail-with-body ${url}/graphql -H 'Content-Type: application/json' ${authorization} -d '${JSON.stringify({ query: document, variables })}'

  Update a company through REST:

curl -sS --fail-with-body -X PATCH ${url}/companies ${authorization} -d media_public_id=demo-media -d name=Acme --data-urlencode 'description=We make everything.'

`;
}

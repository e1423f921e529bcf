/** What a developer sees at start: where everything is, and two calls that can be pasted as they are. */
export function welcome({
  url,
  store,
  key,
  token,
  hasExplorer,
}: {
  url: string;
  store: string;
  key: string;
  token: string | null;
  /** Whether Sandbox and GraphiQL are there: where introspection is on. */
  hasExplorer: boolean;
}): string {
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
  REST     ${url}/companies   ${url}/jobs/{job_public_id}   ${url}/docs   the reference, to try out
  Health   ${url}/health   ${url}/ready   ${url}/metrics
  Store    ${store}
  Key      ${key}

  Update a job through GraphQL:

curl -sS --fail-with-body ${url}/graphql -H 'Content-Type: application/json' ${authorization} -d '${JSON.stringify({ query: document, variables })}'

  Update a company through REST:

curl -sS --fail-with-body -X PATCH ${url}/companies ${authorization} -d media_public_id=demo-media -d name=Acme --data-urlencode 'description=We make everything.'

`;
}

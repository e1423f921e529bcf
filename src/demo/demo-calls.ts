/** Two calls to paste into a shell, for the demo data. */
export function demoCalls(url: string, authorization: string): { name: string; command: string }[] {
  const document =
    'mutation($input: UpdateJobInput!) { updateJob(input: $input) { job { publicId salary state } warnings { message } } }';
  const variables = { input: { jobPublicId: 'acme-backend-engineer', salary: '55 000 €' } };
  const header = `-H 'Authorization: ${authorization}'`;
  return [
    {
      name: 'Update a job through GraphQL',
      command: `curl -sS --fail-with-body ${url}/graphql -H 'Content-Type: application/json' ${header} -d '${JSON.stringify({ query: document, variables })}'`,
    },
    {
      name: 'Update a company through REST',
      command: `curl -sS --fail-with-body -X PATCH ${url}/companies ${header} -d media_public_id=demo-media -d name=Acme --data-urlencode 'description=We make everything.'`,
    },
  ];
}

import { signDeveloperToken } from './tokens/developer-token.js';
import { type Keys } from './tokens/keys.js';
import { type Database } from './database/connect.js';
import { demoCalls } from './demo/demo-data.js';
import { isIntrospectionOn } from './graphql/bounds/schema-rules.js';
import { type Settings } from './settings/settings.js';

/** The text that a developer sees at start. */
export async function welcome(
  settings: Settings,
  { url, keys, database }: { url: string; keys: Keys; database: Database },
): Promise<string> {
  const token = await signDeveloperToken(keys, settings, new Date());
  const hasExplorer = isIntrospectionOn(settings);
  const calls = demoCalls(url, `Bearer ${token ?? '<ACCESS_TOKEN>'}`);
  return `
  GraphQL  ${url}/graphql${hasExplorer ? `   Apollo Sandbox in a browser; ${url}/explorer   GraphiQL, offline` : ''}
  REST     ${url}/companies   ${url}/jobs/{job_public_id}   ${url}/docs   interactive reference
  Health   ${url}/health   ${url}/ready   ${url}/metrics
  Store    ${database.description}
  Key      ${keys.description}

${calls.map(({ name, command }) => `  ${name}:\n\n${command}\n\n`).join('')}`;
}

import { parseArgs } from 'node:util';
import { signDeveloperToken } from '../../src/tokens/developer-token.js';
import { loadKeys } from '../../src/tokens/keys.js';
import { parseSettings } from '../../src/settings/settings.js';
import { startExampleSite } from '../support/site.js';

// `npm run example`: serves `schema/client/example` for the gateway that runs with the same settings.
const settings = parseSettings(process.env, { opensDatabase: false });
const { values } = parseArgs({
  options: {
    gateway: { type: 'string', default: `http://127.0.0.1:${settings.port}` },
    port: { type: 'string', default: '4100' },
  },
});

if (settings.environment !== 'development') fail('The example signs tokens: it runs in development alone.');
const answer = await fetch(`${values.gateway}/health`).catch(() => null);
if (!answer?.ok) fail(`No gateway answers at ${values.gateway}. Start it with npm start.`);
const keys = await loadKeys(settings);
if (!keys.signing) fail('An identity provider signs the tokens. The example needs the gateway’s own key.');

const { origin } = await startExampleSite({
  port: Number(values.port),
  signIn: async () => (await signDeveloperToken(keys, settings, new Date())) ?? '',
});
const query = new URLSearchParams({ gateway: values.gateway });
process.stdout.write(`Open ${origin}/?${query.toString()}\n`);

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

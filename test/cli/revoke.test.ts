import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runRevokeCommand } from '../../src/cli/revoke.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { providersFile, startProvider, stopProviders, type TestProvider } from '../support/provider.js';
import { graphql } from '../support/requests.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';

const issuers = ['https://a.example', 'https://b.example'] as const;
let database: SeverableDatabase;
let environment: Record<string, string>;
let a: TestProvider;
let b: TestProvider;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  database = await openSeverableDatabase();
  a = await startProvider(issuers[0], { prefix: 'a', media: '*' });
  b = await startProvider(issuers[1], { prefix: 'b', media: '*' });
  environment = {
    NODE_ENV: 'test',
    MONGODB_URI: database.uri,
    JWT_PROVIDERS: await providersFile([a.entry, b.entry]),
  };
  const shared = { ...database, close: async () => undefined };
  for (let count = 0; count < 2; count += 1)
    gateways.push(await startTestGateway(environment, { database: shared }));
});
afterAll(async () => {
  stopProviders(a, b);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await database.close();
});

const revoke = (...argv: string[]) => runRevokeCommand(argv, environment);

const statusesOf = (token: string) =>
  Promise.all(
    gateways.map(async (gateway) => (await graphql(gateway, '{ viewer { subject } }', {}, { token })).status),
  );

describe('npm run revoke (Contract 9.1.5)', () => {
  it('cuts off tokens, subjects and blocked subjects in every process, keeps them cut off while the database is away, and takes it back (Contract 3.1.6)', async () => {
    const issuedAt = { iat: Math.floor(Date.now() / 1_000) - 60 };
    const tokens = {
      token: await a.sign({ sub: 'leaked', jti: 'leaked-id' }),
      subject: await a.sign({ sub: 'old', ...issuedAt }),
      block: await a.sign({ sub: 'blocked' }),
    };
    const others = [
      await b.sign({ sub: 'leaked', jti: 'leaked-id' }),
      await a.sign({ sub: 'leaked', jti: 'another-id' }),
      await b.sign({ sub: 'old', ...issuedAt }),
      await b.sign({ sub: 'blocked' }),
    ];
    for (const token of [...Object.values(tokens), ...others])
      expect(await statusesOf(token)).toEqual([200, 200]);
    const made = [
      await revoke('--token-id=leaked-id', `--issuer=${issuers[0]}`),
      await revoke('--subject', 'a:old', '--for', '30d'),
      await revoke('--block', 'a:blocked'),
    ];
    expect(made.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const startedMs = performance.now();
    for (const token of Object.values(tokens))
      await until(async () => String(await statusesOf(token)) === '401,401');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    for (const token of others) expect(await statusesOf(token)).toEqual([200, 200]);

    // `viewer` needs no database, so the others are still served.
    database.way.sever();
    await until(async () => String(await statusesOf(others[0] ?? '')) === '503,503');
    for (const token of Object.values(tokens)) expect(await statusesOf(token)).toEqual([401, 401]);
    database.way.restore();
    await until(async () => String(await statusesOf(others[0] ?? '')) === '200,200');

    const { stdout } = await revoke('--list');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^\S+Z {2}until it is undone {2}the token leaked-id of https:\/\/a\.example$/),
      expect.stringMatching(/^\S+Z {2}until \S+Z {2}the tokens until now of a:old$/),
      expect.stringMatching(/^\S+Z {2}until it is undone {2}every token of a:blocked$/),
    ]);
    expect(stdout).not.toContain('eyJ');
    const undone = await revoke('--undo', '--block', 'a:blocked');
    expect(undone).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Undone: every token of a:blocked/),
    });
    await until(async () => String(await statusesOf(tokens.block)) === '200,200');
    expect(await revoke('--undo', '--block', 'a:blocked')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^There is no revocation of every token of a:blocked: see --list$/m),
    });
  });

  it.each([
    [[], /^Give one of --token-id, --subject, --block and --list/],
    [['--subject', 'a:x', '--block', 'a:x'], /^Give one of/],
    [['--subject', ''], /^--subject must have 1 to 255 characters/],
    [['--subject', 'x'], /^--subject must begin with the prefix of a provider: a:, b:\./],
    [['--block', 'a:x', '--issuer', issuers[0]], /^--issuer goes with --token-id only/],
    [['--token-id', 'x'], /^--issuer must be one of https:\/\/a\.example, https:\/\/b\.example/],
    [['--token-id', 'x', '--issuer', 'c'], /^--issuer must be one of/],
    [['--token-id', 'eyJhbGciOiJIUzI1NiJ9.eyJz.c2ln', '--issuer', issuers[0]], /and not the token itself/],
    [['--subject', 'a:x', '--for', 'ever'], /^--for: expected a duration/],
    [['--list', '--for', '1d'], /^--for goes with neither/],
    [['--undo', '--subject', 'a:x', '--for', '1d'], /^--for goes with neither/],
  ])('refuses the arguments %j', async (argv, fault) => {
    const { exitCode, stdout, stderr } = await revoke(...argv);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(fault)]);
  });

  it('needs no issuer and no prefix with one provider', async () => {
    const own = { ...environment, JWT_PROVIDERS: '' };
    expect(await runRevokeCommand(['--token-id', 'x'], own)).toMatchObject({
      stdout: expect.stringMatching(
        /^Cut off: the token x of urn:recruitment-gateway:issuer, until it is undone\./,
      ),
    });
    expect(await runRevokeCommand(['--block', 'x', '--for', '1d'], own)).toMatchObject({ exitCode: 0 });
  });
});

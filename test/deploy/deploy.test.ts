import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { parse as parseYaml, parseAllDocuments } from 'yaml';
import { createMetrics } from '../../src/metrics/metrics.js';
import { settingsTable } from '../../src/settings/settings-table.js';
import { parseSettings } from '../../src/settings/settings.js';
import { has, root } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';

const run = promisify(execFile);
const folder = join(root, 'deploy');
const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));
const files = await Promise.all(names.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
const textOf = (name: string): string => files.find((file) => file.name === join(folder, name))?.text ?? '';

const itWith = (program: string) => (has(program) ? it : it.skip);

const scratch = ownFolder();

describe('deploy/ and the metrics of the gateway', () => {
  const emitted = createMetrics()
    .registry.getMetricsAsArray()
    .flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    );

  it('deploy/ names only metrics that the gateway has', () => {
    const named = files.flatMap(
      ({ text }) =>
        // The handbook's table lists histograms by their bare names, which no query may use.
        text
          .replace(/<!-- metrics -->[^]*<!-- \/metrics -->/, '')
          .match(/\b(?:gateway|nodejs|process)_\w+/g) ?? [],
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect([...new Set(named)].filter((name) => !emitted.includes(name))).toEqual([]);
  });

  it('the dashboard shows every gateway_ metric', () => {
    const dashboard = textOf('grafana/dashboard.json');
    const missing = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('gateway_') && !dashboard.includes(name));
    expect(missing).toEqual([]);
  });
});

describe('alerts of deploy/', () => {
  itWith('promtool')('load with the configuration of Prometheus, which scrapes both gateways', async () => {
    const { stdout } = await run('promtool', ['check', 'config', join(folder, 'prometheus/prometheus.yml')]);
    expect(stdout).toMatch(/SUCCESS: 1 rule files found[^]*SUCCESS: \d+ rules found/);
    expect(textOf('prometheus/prometheus.yml')).toContain("['gateway-1:4000', 'gateway-2:4000']");
  });

  itWith('promtool')('fire when they should, and not before', async () => {
    await run('promtool', ['check', 'rules', join(folder, 'prometheus/alerts.yml')]);
    await run('promtool', ['test', 'rules', join(folder, 'prometheus/alerts.test.yml')]);
  });

  it('reach a receiver that the example of Alertmanager has, critical ones another than the rest', () => {
    const { route, receivers } = parseYaml(textOf('prometheus/alertmanager.yml')) as {
      route: { receiver: string; routes: { matchers: string[]; receiver: string }[] };
      receivers: { name: string }[];
    };
    const used = [route.receiver, ...route.routes.map(({ receiver }) => receiver)];
    expect(new Set(used)).toEqual(new Set(receivers.map(({ name }) => name)));
    expect(route.routes).toMatchObject([{ matchers: ['severity="critical"'], receiver: 'on-call' }]);
    expect(textOf('prometheus/alerts.yml')).toContain('severity: critical');
  });

  it('each have a test where they fire, a test where they don’t, and a handbook entry', () => {
    const tests = textOf('prometheus/alerts.test.yml');
    const alerts = [...textOf('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(
      ([, name = '']) => name,
    );
    expect(alerts.length).toBeGreaterThan(5);
    for (const alert of alerts) {
      expect(tests).toMatch(new RegExp(`alertname: ${alert}, exp_alerts: \\[\\]`));
      expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`));
      expect(textOf('README.md')).toContain(`\`${alert}\``);
    }
  });
});

describe('dashboard of deploy/', () => {
  itWith('promtool')('has only queries that Prometheus can parse', async () => {
    const { panels } = JSON.parse(textOf('grafana/dashboard.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(10);
    const rules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(scratch, 'queries.yml');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    await run('promtool', ['check', 'rules', file]);
  });
});

describe('compose.yaml, kubernetes.yaml and gateway.service of deploy/', () => {
  type Environment = Record<string, string>;
  const compose = parseAllDocuments(textOf('compose.yaml'), { merge: true })[0]?.toJS() as {
    services: Record<string, Service>;
    networks: { inside: { ipam: { config: { subnet: string; ip_range: string }[] } } };
  };
  interface Service {
    environment?: Environment;
    volumes?: string[];
    networks: string[] | Record<string, unknown>;
    read_only?: boolean;
    tmpfs?: string[];
    extra_hosts?: string[];
    logging?: { driver: string; options: Record<string, string> };
    entrypoint?: string[];
    user?: string;
    healthcheck?: { test: string[] };
  }
  const kubernetes = parseAllDocuments(textOf('kubernetes.yaml')).map(
    (document) => document.toJS() as { kind: string; spec: { template?: { spec: PodSpec } } },
  );
  interface PodSpec {
    containers: {
      env: { name: string; value?: string }[];
      resources: { requests: { memory: string }; limits: { memory: string } };
      volumeMounts: { mountPath: string }[];
    }[];
  }
  const pod = kubernetes.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec;
  const environments: [string, Environment][] = [
    ['compose.yaml, gateway-1', compose.services['gateway-1']?.environment ?? {}],
    ['compose.yaml, gateway-2', compose.services['gateway-2']?.environment ?? {}],
    [
      'kubernetes.yaml',
      Object.fromEntries(
        pod?.containers[0]?.env.map(({ name, value }) => [name, value ?? 'mongodb://db/x']) ?? [],
      ),
    ],
    [
      'gateway.service',
      Object.fromEntries(
        [...textOf('gateway.service').matchAll(/^(?:Environment=|ExecStart=\S+ )(\w+)=(\S*)/gm)].map(
          ([, name = '', value = '']) => [name, value],
        ),
      ),
    ],
  ];

  it.each(environments)('give the gateway only valid settings: %s', (_name, environment) => {
    const variables: string[] = Object.values(settingsTable).map(({ variable }) => variable);
    expect(Object.keys(environment).length).toBeGreaterThan(1);
    expect(Object.keys(environment).filter((name) => !variables.includes(name))).toEqual([]);
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{\w+(?::-([^}]*)|:\?)\}/, '$1'),
      ]),
    );
    expect(() =>
      parseSettings({ MONGODB_URI: 'mongodb://db/x', ...filled, NODE_ENV: 'production' }),
    ).not.toThrow();
  });

  itWith('docker-compose')('docker-compose accepts every service', async () => {
    // Debian's docker-compose does not know the key `name` yet.
    const file = join(scratch, 'compose.yaml');
    await writeFile(file, textOf('compose.yaml').replace(/^name: .*/m, ''));
    const { stdout } = await run(
      'docker-compose',
      ['-f', file, '--project-directory', folder, '--profile', 'observe', 'config', '--services'],
      {
        env: {
          ...process.env,
          DATABASE_PASSWORD: 'p',
          GATEWAY_DATABASE_PASSWORD: 'p',
          GRAFANA_PASSWORD: 'p',
        },
      },
    );
    expect(stdout.trim().split('\n').sort()).toEqual(Object.keys(compose.services).sort());
  });

  it('compose.yaml runs one archiver, and both gateways trust only the proxy', () => {
    const [one, two] = ['gateway-1', 'gateway-2'].map((name) => compose.services[name]?.environment);
    expect([one?.ARCHIVER, two?.ARCHIVER]).toEqual(['on', 'off']);
    const proxy = compose.services.proxy?.networks as { inside: { ipv4_address: string } };
    const { ipv4_address: address } = proxy.inside;
    expect([one?.TRUSTED_PROXIES, two?.TRUSTED_PROXIES]).toEqual([address, address]);
    // The proxy must not have the subnet's first address, the bridge's: callers of a published port come from the bridge.
    const [network] = compose.networks.inside.ipam.config;
    const [own = '', others = ''] = [network?.subnet, network?.ip_range].map((range) => range?.split('/')[0]);
    expect(address).toBe(own.replace(/\d+$/, '2'));
    const fixed = ['proxy', 'gateway-1', 'gateway-2'].map(
      (name) => compose.services[name]?.networks as { inside: { ipv4_address: string } },
    );
    const lasts = fixed.map(({ inside }) => Number(inside.ipv4_address.replace(own.replace(/\d+$/, ''), '')));
    expect(new Set(lasts).size).toBe(3);
    expect(Number(others.split('.')[3])).toBeGreaterThan(Math.max(...lasts));
    expect(textOf('nginx.conf').match(/proxy_set_header X-Forwarded-For .*/g)).toEqual([
      'proxy_set_header X-Forwarded-For $remote_addr;',
    ]);
  });

  it('init-user.js creates the user of both gateways, with rights on their database only', () => {
    const made: unknown[] = [];
    const db = {
      getSiblingDB: (name: string) => ({ createUser: (user: object) => made.push({ name, ...user }) }),
    };
    const { database } = compose.services;
    const password = '${GATEWAY_DATABASE_PASSWORD:?}';
    expect(database?.environment?.GATEWAY_DATABASE_PASSWORD).toBe(password);
    runInNewContext(textOf('mongodb/init-user.js'), {
      db,
      process: { env: { ...database?.environment, GATEWAY_DATABASE_PASSWORD: 'P' } },
    });
    const uri = new URL(
      compose.services['gateway-1']?.environment?.MONGODB_URI?.replace(password, 'P') ?? '',
    );
    const name = uri.searchParams.get('authSource');
    const pwd = uri.password;
    const roles = [{ role: 'readWrite', db: uri.pathname.slice(1) }];
    expect(made).toEqual([{ name, user: uri.username, pwd, roles }]);
  });

  it.each([
    ['a writable primary', { isWritablePrimary: true }, () => ({ ok: 1 }), 0, 0],
    ['a replica set that elects a primary', { isWritablePrimary: false }, () => ({ ok: 1 }), 1, 0],
    ['a replica set that is not initiated', { isWritablePrimary: false }, null, 1, 1],
  ])('the database check initiates the replica set if needed: %s', (_what, hello, status, code, made) => {
    const { healthcheck, entrypoint, environment } = compose.services.database ?? {};
    const uri = compose.services['gateway-1']?.environment?.MONGODB_URI ?? '';
    const expression = healthcheck?.test.at(-1) ?? '';
    const sets: unknown[] = [];
    const ends: number[] = [];
    const rs = {
      status:
        status ??
        (() => {
          throw new Error('no replset config has been received');
        }),
      initiate: (set: unknown) => sets.push(set),
    };
    const logins: unknown[] = [];
    runInNewContext(expression, {
      db: {
        hello: () => hello,
        getSiblingDB: (name: string) => ({ auth: (...login: string[]) => logins.push([name, ...login]) }),
      },
      process: { env: { MONGO_INITDB_ROOT_PASSWORD: 'secret' } },
      rs,
      quit: (end: number) => ends.push(end),
    });
    expect(logins).toEqual([['admin', 'root', 'secret']]);
    expect([ends, sets.length]).toEqual([[code], made]);
    for (const set of sets) {
      const { _id, members } = set as { _id: string; members: { host: string }[] };
      expect(uri).toContain(`replicaSet=${_id}&`);
      expect(entrypoint?.join(' ')).toContain(`--replSet ${_id} `);
      expect(uri).toContain(`@${members[0]?.host}/`);
    }
    expect(environment).toHaveProperty('MONGO_INITDB_ROOT_PASSWORD');
  });

  itWith('kubectl')('kubectl knows every field of the Deployment', async () => {
    const document = parseAllDocuments(textOf('kubernetes.yaml'))
      .map((each) => each.toJS() as { kind: string })
      .find(({ kind }) => kind === 'Deployment');
    const file = join(scratch, 'deployment.json');
    await writeFile(file, JSON.stringify(document));
    const { stdout } = await run('kubectl', [
      ...'set image --local -o json -f'.split(' '),
      file,
      'gateway=seen',
    ]);
    // kubectl drops unknown fields.
    const known: unknown = JSON.parse(stdout.replace('"image": "seen"', '"image": "recruitment-gateway"'));
    expect(known).toMatchObject(document ?? {});
  });

  it('kubernetes.yaml lets nodes be drained while no pod is ready', () => {
    const budget = kubernetes.find(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budget?.spec).toMatchObject({ minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('nginx.conf has the addresses that compose.yaml gives the gateways', () => {
    const addresses = ['gateway-1', 'gateway-2'].map((name) => {
      const { inside } = compose.services[name]?.networks as { inside: { ipv4_address: string } };
      return `${inside.ipv4_address}:4000`;
    });
    expect(
      [...textOf('nginx.conf').matchAll(/^ *server ([\d.:]+) /gm)].map(([, address]) => address),
    ).toEqual(addresses);
  });

  it('compose.yaml gives containers no capabilities, and passes no password as an argument', () => {
    const services = Object.values(compose.services);
    expect(services.length).toBeGreaterThan(5);
    for (const service of services) {
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(JSON.stringify([service.healthcheck?.test, service.entrypoint])).not.toContain('$');
    }
    // Without capabilities, root can neither change its user nor read other users' files.
    expect([compose.services.proxy?.user, compose.services.database?.user]).toEqual(['nginx', 'mongodb']);
  });

  it('compose.yaml starts nothing if a password is missing', () => {
    const named = textOf('compose.yaml').match(/\$\{\w+_PASSWORD\b[^}]*\}/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((variable) => !variable.endsWith(':?}'))).toEqual([]);
  });
});

describe('unit and proxy configuration of deploy/', () => {
  itWith('systemd-analyze')(
    'systemd accepts the unit without a warning, and rates it as hardened',
    async () => {
      const unit = join(folder, 'gateway.service');
      const { stderr } = await run('systemd-analyze', ['verify', unit]);
      // This machine may lack the Node.js of the unit.
      expect(stderr.replace(/^.*\/usr\/bin\/node is not executable.*\n/m, '')).toBe('');
      const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', unit]);
      expect(stdout).toMatch(/exposure level for gateway\.service: 1\.\d OK/);
    },
  );

  itWith('nginx')('nginx accepts the configuration', async () => {
    const { stderr } = await run('nginx', ['-t', '-c', join(root, 'deploy/nginx.conf')]);
    expect(stderr).toContain('test is successful');
  });
});

describe('image and handbook of deploy/', () => {
  it.each([
    [{}, 4000],
    [{ PORT: '' }, 4000],
    [{ PORT: '80' }, 80],
  ])('the health check of the image asks the port of the gateway: %j', (env, port) => {
    const [, script = ''] = /CMD \["node", "-e", "(.*)"\]/.exec(textOf('Containerfile')) ?? [];
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return { ok: true };
    };
    runInNewContext(script, { fetch, process: { env, exit: () => undefined } });
    expect(asked).toEqual([`http://127.0.0.1:${port}/health`]);
  });
});

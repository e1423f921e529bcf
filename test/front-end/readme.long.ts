import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type Job } from 'recruitment-gateway-client';
import ts from 'typescript';
import { parse } from 'yaml';
import { config } from '../../schema/client/src/codegen.js';
import { readRefusal } from '../../schema/client/src/refusal.js';
import { faultsOf, inBrowser, inNode } from '../support/front-end-types.js';
import { ownFolder } from '../support/own-folder.js';
import { ownGateway } from '../support/own-gateway.js';
import { installPackedClient, type PackedClient } from '../support/packed-client.js';
import { root } from '../support/process.js';

const run = promisify(execFile);

const bundled: ts.CompilerOptions = {
  ...inBrowser,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
};

describe('the README of the client', () => {
  const gateway = ownGateway();
  let client: PackedClient;
  const parent = ownFolder();
  beforeAll(async () => {
    client = await installPackedClient();
    await cp(join(client.installed, 'recipes'), client.folder, { recursive: true });
  });
  afterAll(() => client.remove());

  const named = (name: string): string => join(client.folder, name);

  it('installs the tarball that its first command builds, not a package from the registry', async () => {
    const [, pack = '', install = ''] =
      /```sh\n(npm pack .*)\n(npm install .*)\n```/.exec(
        await readFile(join(client.installed, 'README.md'), 'utf8'),
      ) ?? [];
    const frontEnd = join(parent, 'front-end');
    await mkdir(frontEnd);
    await symlink(root, join(parent, 'recruitment-gateway'));
    // Don't rebuild: other tests read the build at the same time.
    const env = { ...process.env, npm_config_ignore_scripts: 'true' };
    const inFrontEnd = { cwd: frontEnd, env };
    await run('bash', ['-c', pack], inFrontEnd);
    const { stdout } = await run('bash', ['-c', install.replace('npm install', 'echo')], inFrontEnd);
    const { version, peerDependencies } = JSON.parse(
      await readFile(join(client.installed, 'package.json'), 'utf8'),
    ) as { version: string; peerDependencies: Record<string, string> };
    const tarball = `./recruitment-gateway-client-${version}.tgz`;
    const uploads = ['apollo-upload-client', '@types/apollo-upload-client'];
    expect(stdout.trim().split(' ')).toEqual([tarball, ...Object.keys(peerDependencies), ...uploads]);
    expect(await readdir(frontEnd)).toEqual([basename(tarball)]);
  });

  it('links to each recipe', async () => {
    const readme = await readFile(join(client.installed, 'README.md'), 'utf8');
    const linked = [...readme.matchAll(/\]\(recipes\/([^)]+)\)/g)].map(([, name]) => name);
    const own = await readdir(join(client.installed, 'recipes'), { recursive: true });
    expect([...new Set(linked)].sort()).toEqual(own.filter((name) => name.includes('.')).sort());
  });

  it('has recipes for Node.js that compile without the types of a browser', () => {
    expect(faultsOf([named('read-job.ts'), named('create-job.ts')], inNode)).toEqual([]);
  });

  it('has at most 500 lines, and a form that compiles', async () => {
    const readme = await readFile(join(client.installed, 'README.md'), 'utf8');
    expect(readme.split('\n').length).toBeLessThan(500);
    const [, form = ''] = /```tsx\n([^]*?)```/.exec(readme) ?? [];
    const file = join(client.folder, 'of-readme.tsx');
    await writeFile(file, `${form}export { JobForm };`);
    expect(faultsOf([file, named('field.tsx')], bundled)).toEqual([]);
  });

  it('lists the fields that have other names in inputs than in replies', async () => {
    const schema = buildSchema(await readFile(`${root}schema/schema.graphql`, 'utf8'));
    const readme = await readFile(`${root}schema/client/README.md`, 'utf8');
    const rows = readme.matchAll(/^\| `(Job|Company)\.([\w.]+)`.*\| `(Update\w+Input\.\w+)` +\|$/gm);
    const listed = [...rows].map(([, type = '', path = '', input]) => {
      const end = path.split('.').reduce<GraphQLNamedType | undefined>((parent, name) => {
        const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
        return getNamedType(field?.type);
      }, schema.getType(type));
      return { input, isRead: isLeafType(end) };
    });
    const fieldsOf = (type: string) => Object.keys((schema.getType(type) as GraphQLObjectType).getFields());
    const renamed = ['Job', 'Company'].flatMap((type) => {
      const shown = fieldsOf(type);
      const input = `Update${type}Input`;
      return fieldsOf(input)
        .filter((name) => !shown.includes(name))
        .map((name) => ({ input: `${input}.${name}`, isRead: true }));
    });
    expect(new Set(listed)).toEqual(new Set(renamed));
  });

  it('reads a job with fetch, and fails with the code of a refusal', async () => {
    const { readJob } = (await client.load(named('read-job.ts'))) as {
      readJob: (uri: string, token: string, publicId: string) => Promise<Job | null>;
    };
    const [uri, token] = [`${gateway.url}/graphql`, await gateway.token()];
    expect(await readJob(uri, token, 'acme-backend-engineer')).toMatchObject({ version: 1 });
    const refused = readJob(uri, token, 'no-such-job');
    await expect(refused).rejects.toThrow(
      /^unauthorized-limitation, request \S+: Unauthorized: there is no such media or record/,
    );
    const failure = await refused.catch((error: unknown) => error);
    expect(readRefusal(failure)?.error).toBe('unauthorized-limitation');
  });

  it('creates a job with fetch, once however often it is called, and fails with the faults (Contract 5.5.1, 6.2.1)', async () => {
    const { createJob } = (await client.load(named('create-job.ts'))) as {
      createJob: (uri: string, token: string, variables: object) => Promise<Job>;
    };
    const token = await gateway.token();
    const input = { mediaPublicId: 'demo-media', companyPublicId: 'acme', name: 'Tester' };
    const create = (uri: string, name = 'Tester') =>
      createJob(`${uri}/graphql`, token, { input: { ...input, name }, idempotencyKey: `key-${name}` });
    const { publicId } = await create(gateway.url);
    expect(publicId).toMatch(/^tester-/);
    // A proxy loses the first answer: the call is sent again.
    let calls = 0;
    const proxy = createServer((request, reply) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { authorization = '', 'content-type': type = '' } = request.headers;
          const headers = { authorization, 'content-type': type };
          const sent = fetch(`${gateway.url}/graphql`, {
            method: 'POST',
            headers,
            body: Buffer.concat(chunks),
          });
          void sent.then(async (answer) => {
            calls += 1;
            if (calls === 1) request.socket.destroy();
            else reply.setHeader('content-type', 'application/json').end(await answer.text());
          });
        });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const lost = await create(`http://127.0.0.1:${port}`, 'Lost');
    proxy.close();
    const again = await create(gateway.url, 'Lost');
    expect([calls, again.publicId]).toEqual([2, lost.publicId]);
    expect(await gateway.models.jobs.countDocuments({ name: { $in: ['Tester', 'Lost'] } })).toBe(2);
    const failure = await create(gateway.url, '').catch((error: unknown) => error);
    expect(readRefusal(failure)?.fields[0]).toMatchObject({ path: ['input', 'name'], reason: 'missing' });
  });

  it('exports the types of scalars that its own documents are generated with', async () => {
    const { generates } = parse(await readFile(`${root}codegen.yml`, 'utf8'), { merge: true }) as {
      generates: Record<string, { config: unknown }>;
    };
    expect(generates['schema/client/src/documents/']?.config).toMatchObject(config);
  });
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = process.env.GATEWAY_DIST ?? `${root}dist`;

/** The URL of a file as a string literal, for generated code. The path may have quotes, `#` and `%`. */
export const importable = (file: string): string => JSON.stringify(pathToFileURL(file).href);
const startTimeoutMs = 110_000;

/** A gateway, or a store that several gateways share. */
export interface Running {
  url: string;
  child: ChildProcess;
  output: () => string;
  /** Sends the signal, and returns the exit code, or null if the signal killed the process. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

export const has = (program: string): boolean => {
  try {
    execFileSync('bash', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const running = new Set<ChildProcess>();
const gatewayReady = /"url":"([^"]+)".*"msg":"ready"/;

/**
 * Starts the built gateway on a free port, by default in development on the built-in store, and waits until it is ready.
 * @throws Error with the gateway's output if the gateway ends before it is ready, or is not ready in time
 */
export const startGatewayProcess = (environment: Record<string, string>): Promise<Running> =>
  start(process.execPath, [`${dist}/main.js`], environment, gatewayReady);

/** Runs `npm run example`, and waits for the address of its page. */
export function startExample(gateway: string, environment: Record<string, string>): Promise<Running> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: { example: string };
  };
  const [, ...args] = scripts.example.split(' ');
  return start(process.execPath, [...args, '--gateway', gateway, '--port', '0'], environment, /Open (\S+)/);
}

/** Starts a gateway that cannot write files larger than `maxKib`, which the store sees as a full disk. */
export const startWithFullDisk = (environment: Record<string, string>, maxKib: number): Promise<Running> =>
  start(
    'bash',
    ['-c', `ulimit -f ${maxKib}; exec "$0" "$1"`, process.execPath, `${dist}/main.js`],
    environment,
    gatewayReady,
  );

/** Starts the built-in store in its own process, for several gateways. */
export const startStoreProcess = (folder: string): Promise<Running> =>
  start(process.execPath, ['--input-type=module', '-e', storeScript], { FOLDER: folder }, /uri (\S+)/);

const storeScript = `
  import { startEmbeddedStore } from ${importable(`${dist}/database/embedded/server.js`)};
  const { uri } = await startEmbeddedStore({ folder: process.env.FOLDER });
  console.log('uri ' + uri);
  // It ends with the suite.
  process.stdin.resume().once('close', () => process.exit());
`;

/** Kills the gateways that a test left running, but not a shared store. */
export async function endAll(): Promise<void> {
  for (const child of running) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

async function start(
  command: string,
  args: string[],
  environment: Record<string, string>,
  ready: RegExp,
): Promise<Running> {
  const inherited = { ...process.env };
  delete inherited.MONGODB_URI;
  const child = spawn(command, args, {
    env: { ...inherited, NODE_ENV: 'development', PORT: '0', NODE_OPTIONS: '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (ready === gatewayReady) running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let onText = () => undefined as void;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      onText();
    });
  }
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready in time:\n${output}`));
    }, startTimeoutMs);
    onText = () => {
      const found = ready.exec(output)?.[1];
      if (!found) return;
      clearTimeout(timer);
      onText = () => undefined;
      resolve(found);
    };
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`ended before it was ready:\n${output}`));
    });
  });
  return {
    url,
    child,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

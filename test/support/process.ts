import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const startTimeoutMs = 20_000;

/** A gateway in a process of its own, as `npm start` starts it from the built tree. */
export interface GatewayProcess {
  url: string;
  child: ChildProcess;
  /** What it has written so far, log and all. */
  output(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a gateway on a free port. @throws Error with what it wrote, if it ends before it is ready */
export async function startProcess(environment: Record<string, string>): Promise<GatewayProcess> {
  const inherited = { ...process.env };
  delete inherited.MONGODB_URI;
  const child = spawn(process.execPath, [main], {
    env: { ...inherited, NODE_ENV: 'development', PORT: '0', NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), startTimeoutMs);
    child.stdout.on('data', () => {
      const ready = /"url":"([^"]+)".*"msg":"ready"/.exec(output)?.[1];
      if (!ready) return;
      clearTimeout(timer);
      resolve(ready);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(output));
    });
  });
  return {
    url,
    child,
    output: () => output,
    end: async (signal) => {
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

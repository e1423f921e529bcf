import { expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dist, importable } from './process.js';

interface Refused {
  /** The lines that `dist/main.js` prints. */
  start: string[];
}

interface RefusedStarts {
  refusalsOf: (environments: Record<string, string>[]) => Promise<Refused[]>;
  end: () => Promise<void>;
}

const script = `(async () => {
  const { startFaultLines } = await import(${importable(`${dist}/doctor/start-fault.js`)});
  const { startGateway } = await import(${importable(`${dist}/gateway.js`)});
  const { parseSettings } = await import(${importable(`${dist}/settings/settings.js`)});
  process.on('message', async (environments) => {
    const refusals = [];
    for (const environment of environments) {
      const settings = parseSettings({ LOG_LEVEL: 'silent', PORT: '0', ...environment });
      const refused = await startGateway(settings).catch((error) => error);
      refusals.push({ start: startFaultLines(refused, settings) });
    }
    process.send(refusals);
  });
  process.send('listening');
})()`;

/** Starts one process that tries to start gateways, and says why they fail, as `dist/main.js` does. */
export async function refusedStarts(): Promise<RefusedStarts> {
  const child = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  await Promise.race([once(child, 'message'), exited]);
  return {
    refusalsOf: async (environments) => {
      const answered = once(child, 'message');
      child.send(environments.map((environment) => ({ NODE_ENV: 'development', ...environment })));
      const [refusals] = (await Promise.race([answered, exited])) as [Refused[]];
      expect(refusals).toHaveLength(environments.length);
      for (const { start } of refusals) expect(start.join('\n')).not.toMatch(/^\s+at /m);
      return refusals;
    },
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

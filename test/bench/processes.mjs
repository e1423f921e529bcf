import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';
import { processorMs } from './processor-time.mjs';

const startTimeoutMs = 30_000;

/** A serving process with its database. */
export class ServingProcess {
  /**
   * Starts a module, and waits until it logs its URL and `ready`.
   * @param database the MongoDB server of the process; without it, a thread of the process is the database
   * @param probe a module that the process imports first, to answer messages
   */
  static async start(module, environment, logFile, { database, probe } = {}) {
    const log = openSync(logFile, 'w');
    const startedAtMs = performance.now();
    const probes = [probe, !database && './store-thread.mjs'].filter(Boolean);
    const imported = probes.flatMap((each) => ['--import', pathTo(each)]);
    const child = spawn(process.execPath, [...nodeOptions(), ...imported, pathTo(module)], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    while (performance.now() - startedAtMs < startTimeoutMs) {
      const logged = readFileSync(logFile, 'utf8');
      const url = /"url":"([^"]+)".*"msg":"ready"/.exec(logged)?.[1];
      if (url)
        return new ServingProcess({
          child,
          url,
          startMs: performance.now() - startedAtMs,
          database,
          storeThread: /"storeThread":"([^"]+)"/.exec(logged)?.[1],
        });
      if (child.exitCode !== null) break;
      await sleep(5);
    }
    child.kill('SIGKILL');
    throw new Error(`${module} did not start:\n${readFileSync(logFile, 'utf8')}`);
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** User and system time so far, in steps of 10 ms. */
  processorMs() {
    const allMs = processorMs(this.child.pid);
    if (this.database) return { server: allMs, database: this.database.processorMs() };
    const databaseMs = processorMs(this.storeThread);
    return { server: allMs - databaseMs, database: databaseMs };
  }

  residentMiB() {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'));
    return Number(kib) / 1_024;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}

const pathTo = (module) => fileURLToPath(new URL(module, import.meta.url));

/** Not from NODE_OPTIONS, which would also reach npm's own process. */
const nodeOptions = () => (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean);

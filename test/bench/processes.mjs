import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';

const startTimeoutMs = 30_000;
/** A tick of processor time: USER_HZ is 100 per second on every Linux that Node runs on. */
const tickMs = 10;

/** A serving process, measured with all its threads. */
export class ServingProcess {
  /**
   * Starts a module, and waits until it logs its URL and `ready`.
   * @param probe a module that the process imports first, to answer messages
   */
  static async start(module, environment, logFile, probe) {
    const log = openSync(logFile, 'w');
    const startedAtMs = performance.now();
    const imported = probe ? ['--import', pathTo(probe)] : [];
    const child = spawn(process.execPath, [...nodeOptions(), ...imported, pathTo(module)], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    while (performance.now() - startedAtMs < startTimeoutMs) {
      const url = /"url":"([^"]+)".*"msg":"ready"/.exec(readFileSync(logFile, 'utf8'))?.[1];
      if (url) return new ServingProcess(child, url, performance.now() - startedAtMs);
      if (child.exitCode !== null) break;
      await sleep(5);
    }
    child.kill('SIGKILL');
    throw new Error(`${module} did not start:\n${readFileSync(logFile, 'utf8')}`);
  }

  constructor(child, url, startMs) {
    Object.assign(this, { child, url, startMs });
  }

  /** User and system time so far, in steps of 10 ms. */
  cpuMs() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
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

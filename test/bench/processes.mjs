import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';

const startTimeoutMs = 30_000;
/** What the kernel counts processor time in: USER_HZ, which is 100 on every Linux that Node runs on. */
const tickMs = 10;

/** A process that serves. All its threads count, those of the garbage collector and of the built-in store too. */
export class ServingProcess {
  /**
   * Starts a module and waits until it has written that it is ready, with its URL.
   * @param probe a module to import before it, which answers messages
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

  /** Resident memory now. */
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

/** `BENCH_NODE_OPTIONS=--cpu-prof` looks into both processes; an option of ours would reach npm's own process too. */
const nodeOptions = () => (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean);

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Lease, LeaseLostError } from '../../../src/change/records-lease.js';
import { toDomainError } from '../../../src/database/database-errors.js';
import { type Outcome as Checked } from '../../reliability/support/checker.js';
import { type Random, randomFor } from '../../reliability/support/random.js';
import { type Process, startProcess, type Told } from './process.js';
import { type Beginning, recordsOf, startMs } from './records.js';
import { type Mutant, Stage } from './stage.js';

/** A call of a schedule, in a process of its own. */
export interface Call {
  send: (process: Process, lease: Lease) => Promise<Told | void>;
  /** Such calls begin one after another: the next one when the last one has ended, is dead or sleeps longer than its lease. */
  isImport?: boolean;
}

interface Scene {
  calls: readonly Call[];
  beginning: Beginning;
  mutant?: Mutant | undefined;
  /** Called after each command of the schedule. */
  watch?: () => void;
}

/** The known facts of a call, with the steps of its first command and its answer. */
type Outcome = Omit<Checked, 'sent'>;

interface Running extends Outcome, Call {
  process: Process;
  isOver: boolean;
  isAsleep: boolean;
  /** Whether the call waits for another call with its key: polling finds nothing new until another call runs a command. */
  isWaiting: boolean;
}

/** Longer than a dead process can hold an idempotency key, even by the slowest clock. */
const stallMs = 21_000;
const mostSteps = 300;
/** A command usually reaches the database within this many turns of the event loop. */
const busyTurns = 20;
const lostReply = { ok: 0, code: 89, codeName: 'NetworkTimeout', errmsg: 'the reply was lost' };
const faultKinds = ['die', 'lose', 'stall', 'sleep'] as const;

const mostFaults = 2;

/** Plays schedules one after another, and replaces processes that were killed. */
export class Theatre {
  readonly stage = new Stage();
  private nowMs = 0;
  private step = 0;
  private processes: Process[] = [];
  private last?: Process;
  /** The import that began last has the lease. */
  private holder: unknown;

  async play({ calls, beginning, mutant, watch }: Scene, random: Random): Promise<Outcome[]> {
    this.nowMs = startMs;
    this.step = 0;
    await this.startAtLeast(calls.length);
    this.stage.reset(recordsOf(this.processes[0]!.models, beginning), mutant);
    const all = calls.map((call, index) => this.send(call, this.processes[index]!));
    let [current] = all;
    let left = mostFaults;
    for (let step = 1; step < mostSteps; step += 1) {
      for (const call of all) await until(() => call.isOver || this.stage.at(call.process.gateway));
      this.step = step;
      const ready = all.filter((call) => this.isReady(call, all));
      if (ready.length === 0 && all.every(({ isOver }) => isOver)) break;
      if (ready.length === 0 || random.between(0, 20) === 0) for (const call of all) call.isAsleep = false;
      const fault = left > 0 && random.between(0, 8) === 0 ? random.pick(faultKinds) : undefined;
      if (fault) left -= 1;
      // A call makes a few steps in a row: in an even mixture, no call gets past another.
      if (!current || !ready.includes(current) || random.between(0, 4) === 0) current = random.pick(ready);
      if (!current || fault === 'stall') {
        this.nowMs += stallMs;
        for (const call of all) call.isWaiting = false;
      } else this.act(current, fault, all);
      watch?.();
    }
    for (const call of all) if (!call.isOver) this.kill(call);
    return all;
  }

  /** Sends a call after a schedule, when no other runs. */
  async alone(send: Call['send']): Promise<Outcome> {
    this.nowMs += stallMs;
    // A separate process: a driver whose connection a schedule cut refuses the next call at once.
    this.last ??= await startProcess(this.stage, () => this.nowMs);
    const call = this.send({ send }, this.last);
    this.holder = call;
    await until(() => {
      const next = () => this.stage.take(call.process.gateway);
      for (let waiting = next(); waiting; waiting = next()) waiting.answer(waiting.run());
      return call.isOver;
    });
    return call;
  }

  async close(): Promise<void> {
    const all = [...this.processes, ...(this.last ? [this.last] : [])];
    await Promise.all(all.map((process) => process.close()));
    this.stage.close();
  }

  private async startAtLeast(some: number): Promise<void> {
    while (this.processes.length < some)
      this.processes.push(await startProcess(this.stage, () => this.nowMs));
  }

  private send(call: Call, process: Process): Running {
    const running: Running = {
      ...{ ...call, process, startedAt: 0, endedAt: Infinity, end: { kind: 'unknown' } },
      ...{ isOver: false, isAsleep: false, isWaiting: false },
    };
    const renew = async () => {
      if (this.holder !== running) throw new LeaseLostError();
    };
    const end = (how: Outcome['end']) =>
      running.isOver || Object.assign(running, { end: how, isOver: true, endedAt: this.step });
    call.send(process, { renew }).then(
      (told) => end(told ? { kind: 'told', ...told } : { kind: 'unknown' }),
      (error: unknown) => {
        const { code } = toDomainError(error);
        const isUnknown = code === 'service-unavailable' || code === 'internal-error';
        end(isUnknown ? { kind: 'unknown' } : { kind: 'refused', code });
      },
    );
    return running;
  }

  private isReady(call: Running, all: readonly Running[]): boolean {
    if (call.isOver || call.isAsleep || call.isWaiting) return false;
    const isHeld = all.some((each) => each === this.holder && !each.isOver && !each.isAsleep);
    return !call.isImport || call.startedAt > 0 || !isHeld;
  }

  private act(call: Running, fault: (typeof faultKinds)[number] | undefined, all: readonly Running[]): void {
    const waiting = this.stage.take(call.process.gateway);
    if (!waiting) return;
    if (call.isImport && call.startedAt === 0) this.holder = call;
    call.startedAt ||= this.step;
    const reply = waiting.run();
    for (const other of all) if (other !== call) other.isWaiting = false;
    if (fault === 'die') return this.kill(call);
    waiting.answer(fault === 'lose' ? lostReply : reply);
    call.isAsleep = fault === 'sleep';
    const [found] = (reply.cursor as { firstBatch?: object[] } | undefined)?.firstBatch ?? [];
    call.isWaiting = waiting.command.find === 'idempotency' && found !== undefined && 'claim' in found;
  }

  private kill(call: Running): void {
    call.isOver = true;
    this.stage.kill(call.process.gateway);
    this.processes = this.processes.filter((process) => process !== call.process);
    void call.process.close().catch(() => undefined);
  }
}

/** Polls at each of the first turns of the event loop, then once a millisecond: a call may pause before a retry. */
async function until(find: () => unknown): Promise<void> {
  for (let turn = 0; !find(); turn += 1) await (turn < busyTurns ? nextTurn() : sleep(1));
}

/** How many schedules each file plays: a sample, unless `npm run test:schedules` sets it. */
export const count = Number(process.env.SCHEDULES ?? 10);

/** Plays schedules, and returns what was wrong with the first that broke a promise, or null. */
export async function firstBroken(
  purpose: string,
  play: (random: Random) => Promise<string[]>,
  { most = count, seed }: { most?: number; seed?: number } = {},
): Promise<{ schedule: number; faults: string[] } | null> {
  const random = randomFor(purpose, seed);
  for (let schedule = 1; schedule <= most; schedule += 1) {
    const faults = await play(random);
    if (faults.length > 0) return { schedule, faults };
  }
  return null;
}

/** For a planted fault: more schedules, the same in every run. */
export const planted = { most: 1_500, seed: 1 } as const;

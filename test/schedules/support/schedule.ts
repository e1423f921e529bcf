import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { toDomainError } from '../../../src/database/database-errors.js';
import { type Process, startProcess, type VirtualClock } from './gateways.js';
import { type Aftermath, type Outcome } from './aftermath.js';
import { recordsOf } from './beginning.js';
import { type Action, Choices, type Running } from './choices.js';
import { type Sent } from './sent.js';
import { reachedBy } from './reached-by.js';
import { type Mutant, Stage } from './stage.js';

/** The calls of a schedule, and the state before them. */
export interface Scene {
  calls: readonly Sent[];
  /** The version of the records at the start. At 31, the next change moves the history. */
  version?: number;
  /** How many history entries each record carries at the start, as if moving them had failed. */
  pending?: number;
  /** The job's chosen end, after the start; default: the end of its lifetime. */
  endsInMs?: number;
  withFault?: boolean;
  /** How far the second gateway's clock is ahead. */
  offsetMs?: number;
  /** Whether all calls have the same class and clock: it doesn't matter which one begins. */
  isSymmetric?: boolean;
  /** Also plays orders with the same result as others: of long calls, nearly every random order is one. */
  withEquals?: boolean;
  mutant?: Mutant;
}

/** Longer than a dead process can hold an idempotency key, even by the slowest clock. */
const stallMs = 16_000;
const mostSteps = 200;
/** A command usually reaches the database within this many turns of the event loop. */
const busyTurns = 20;
export const startMs = Date.parse('2026-01-01T00:00:00Z');

/** The latest end that the job can have. */
const lastEndOf = ({ endsInMs, calls }: Scene): number =>
  endsInMs === undefined
    ? Infinity
    : Math.max(startMs + endsInMs, ...calls.map(({ expiresAt = 0 }) => new Date(expiresAt).getTime()));

/** Runs schedules one after another, and replaces processes that were killed. */
export class Theatre {
  private readonly stage = new Stage();
  private readonly clock: VirtualClock = { nowMs: 0, reads: 0 };
  private processes: Process[] = [];
  private readonly gone: Process[] = [];
  private repeater: Process | undefined;
  /**
   * @param choose gets the number of possible actions, and returns an index
   * @returns null if another schedule has the same result
   */
  async play(scene: Scene, choose: (actions: number) => number): Promise<Aftermath | null> {
    this.clock.nowMs = startMs;
    this.repeater ??= await startProcess(this.stage, this.clock);
    while (this.processes.length < scene.calls.length)
      this.processes.push(await startProcess(this.stage, this.clock));
    this.stage.reset(recordsOf(scene, startMs, this.repeater.models), scene.mutant ?? ((command) => command));
    this.processes.forEach((process, index) => process.setOffset(index === 1 ? (scene.offsetMs ?? 0) : 0));

    const calls = scene.calls.map((sent, index) => this.start(sent, this.processes[index] as Process));
    const choices = new Choices(this.stage, this.clock, scene);
    let faults = scene.withFault ? 1 : 0;
    for (let step = 1; step < mostSteps; step += 1) {
      await this.settle(calls);
      const live = calls.filter(({ outcome, isDead }) => !outcome && !isDead);
      if (live.length === 0) break;
      if (live.every(({ isWaiting }) => isWaiting)) this.stall(calls);
      const actions = choices.among(calls, faults > 0);
      const action = actions[choose(actions.length)] ?? { kind: 'stall' };
      if (action.kind !== 'run') faults -= 1;
      choices.note(action, calls);
      this.act(action, calls, step);
    }
    const outcomes = calls.map(
      ({ sent, outcome, startedAt, begunAtMs, reached }): Outcome =>
        outcome ?? { sent, startedAt, begunAtMs, reached, endedAt: Infinity, end: { kind: 'unknown' } },
    );
    await this.clear(calls);
    if (choices.isElsewhere) return null;
    const repeated = await this.repeat(outcomes);
    for (const process of this.gone.splice(0)) void process.close().catch(() => undefined);
    // A logo has one chunk; a file without its chunk counts as missing.
    const chunked = new Set(this.stage.documents('logos.chunks').map(({ files_id }) => String(files_id)));
    return {
      outcomes,
      repeated,
      jobs: this.stage.documents('jobs'),
      companies: this.stage.documents('companies'),
      history: this.stage.documents('history'),
      logos: this.stage.documents('logos.files').filter(({ _id }) => chunked.has(String(_id))),
      firstVersion: (scene.version ?? 1) - (scene.pending ?? 0),
      endsAtMs: lastEndOf(scene),
    };
  }

  async close(): Promise<void> {
    const all = [...this.processes, ...(this.repeater ? [this.repeater] : [])];
    await Promise.all(all.map((process) => process.close()));
    this.stage.close();
  }

  private start(sent: Sent, process: Process): Running {
    const running: Running = {
      sent,
      process,
      outcome: undefined,
      startedAt: 0,
      begunAtMs: process.now().getTime(),
      reached: new Set(),
      isDead: false,
      isWaiting: false,
    };
    const end = (what: Outcome['end']) => {
      const { startedAt, begunAtMs, reached } = running;
      running.outcome ??= { sent, startedAt, begunAtMs, reached, endedAt: Infinity, end: what };
    };
    process.send(sent).then(
      (told) => end({ kind: 'told', told }),
      (error: unknown) => {
        const { code } = toDomainError(error);
        const isUnknown = code === 'service-unavailable' || code === 'internal-error';
        end(isUnknown ? { kind: 'unknown' } : { kind: 'refused', code });
      },
    );
    return running;
  }

  /** Waits until each running call has a command at the database, or has ended. */
  private async settle(calls: readonly Running[]): Promise<void> {
    for (const call of calls)
      await until(() => call.isDead || call.outcome || this.stage.at(call.process.gateway));
  }

  private act(action: Action, calls: readonly Running[], step: number): void {
    if (action.kind === 'stall') return this.stall(calls);
    const call = calls[action.call] as Running;
    const waiting = this.stage.at(call.process.gateway);
    if (!waiting) return;
    call.startedAt ||= step;
    this.stage.take(waiting);
    this.noteReached(calls);
    const reply = waiting.run();
    this.noteReached(calls);
    for (const other of calls) if (other !== call) other.isWaiting = false;
    if (action.kind === 'die') return this.kill(call);
    if (action.kind === 'lose')
      waiting.answer({ ok: 0, code: 89, codeName: 'NetworkTimeout', errmsg: 'the reply was lost' });
    else waiting.answer(reply);
    const [found] =
      (reply.cursor as { firstBatch?: Record<string, unknown>[] } | undefined)?.firstBatch ?? [];
    call.isWaiting = waiting.command.find === 'idempotency' && found !== undefined && 'claim' in found;
    this.noteEnd(call, step);
  }

  private noteReached(calls: readonly Running[]): void {
    for (const { sent, startedAt, outcome, reached } of calls)
      if (sent.operation === 'list' && startedAt > 0 && !outcome)
        for (const publicId of reachedBy(sent, this.stage)) reached.add(publicId);
  }

  private noteEnd(call: Running, step: number): void {
    // The client gets the answer a few turns later, before any other command is released.
    const note = async () => {
      await until(() => call.isDead || call.outcome || this.stage.at(call.process.gateway));
      if (call.outcome?.endedAt === Infinity) call.outcome.endedAt = step;
    };
    void note();
  }

  private stall(calls: readonly Running[]): void {
    this.clock.nowMs += stallMs;
    for (const call of calls) call.isWaiting = false;
  }

  private kill(call: Running): void {
    call.isDead = true;
    this.stage.kill(call.process.gateway);
    this.gone.push(call.process);
    this.processes = this.processes.filter((process) => process !== call.process);
  }

  /** Kills processes with unfinished calls, and runs the waiting commands of the other processes. */
  private async clear(calls: readonly Running[]): Promise<void> {
    for (const call of calls) {
      if (!call.outcome && !call.isDead) this.kill(call);
      for (let turn = 0; turn < 3; turn += 1) {
        await nextTurn();
        this.drain(call.process);
      }
    }
  }

  private drain({ gateway }: Process): void {
    for (let waiting = this.stage.at(gateway); waiting; waiting = this.stage.at(gateway)) {
      this.stage.take(waiting);
      waiting.answer(waiting.run());
    }
  }

  private async repeat(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const repeated: Outcome[] = [];
    const isOfFollower = ({ sent }: Outcome) => sent.operation === 'follow';
    const isLast = (outcome: Outcome) => isOfFollower(outcome) || outcome.sent.operation === 'list';
    // Repeat followers and lists last, so that they see even the repeated writes.
    const inOrder = [...outcomes.filter((each) => !isLast(each)), ...outcomes.filter(isLast)];
    for (const outcome of inOrder) {
      const { sent, end } = outcome;
      const isFollower = isOfFollower(outcome);
      if (isFollower && end.kind !== 'told') continue;
      const isRead = ['readJob', 'listPublished', 'list', 'follow'].includes(sent.operation);
      if (end.kind !== 'unknown' && !(end.kind === 'told' && sent.key) && !isRead) continue;
      if (sent.operation === 'removeLogos' || sent.operation === 'archive') continue;
      this.clock.nowMs += stallMs;
      // A follower sees only changes older than a millisecond.
      if (isFollower) await sleep(2);
      const after = isFollower && end.kind === 'told' ? { after: end.told.after ?? null } : {};
      const again = this.start({ ...sent, ...after }, this.repeater as Process);
      if (sent.operation === 'list') again.reached = reachedBy(sent, this.stage);
      const repetition = await until(() => {
        this.drain(again.process);
        return again.outcome;
      });
      repeated.push(repetition);
    }
    return repeated;
  }
}

/**
 * Polls at each of the first `busyTurns` turns of the event loop, then once a millisecond, because a call that pauses before a retry
 * takes longer.
 */
async function until<T>(find: () => T): Promise<NonNullable<T>> {
  for (let turn = 0; ; turn += 1) {
    const found = find();
    if (found) return found;
    await (turn < busyTurns ? nextTurn() : sleep(1));
  }
}

import { type Outcome } from './aftermath.js';
import { type Process, type VirtualClock } from './gateways.js';
import { isIndependent, isRead } from './independent.js';
import { type Scene } from './schedule.js';
import { type Sent } from './sent.js';
import { type Stage, type Waiting } from './stage.js';

/** Run a command, run it and kill its process, run it and lose its reply, or let time pass. */
export type Action = { kind: 'run' | 'die' | 'lose'; call: number } | { kind: 'stall' };

export interface Running {
  sent: Sent;
  process: Process;
  outcome: Outcome | undefined;
  startedAt: number;
  begunAtMs: number;
  reached: Set<string>;
  isDead: boolean;
  /** Whether the call waits for another call with the same key. Polling finds nothing new until another call runs a command. */
  isWaiting: boolean;
}

/** Finds the next possible steps of a schedule, but only one of several with the same result (README). */
export class Choices {
  /** Whether another order with the same result covers the rest of this schedule. */
  isElsewhere = false;
  /** The last released command, and the commands that could have been released instead. */
  private last: { call: number; waiting: Waiting; ready: Waiting[]; isOver: () => boolean } | null = null;
  /** How often the clock had been read when a stall was last offered. */
  private readsAtStall = -1;

  constructor(
    private readonly stage: Stage,
    private readonly clock: VirtualClock,
    private readonly scene: Pick<Scene, 'isSymmetric' | 'withEquals'>,
  ) {}

  among(calls: readonly Running[], mayFail: boolean): Action[] {
    const isBeginning = calls.every(({ startedAt }) => startedAt === 0);
    const ready = (this.scene.isSymmetric && isBeginning ? calls.slice(0, 1) : calls).flatMap(
      ({ outcome, isDead, isWaiting }, call) => (outcome || isDead || isWaiting ? [] : [call]),
    );
    const fresh = ready.filter((call) => !this.isPlayedElsewhere(calls[call] as Running, call));
    this.isElsewhere ||= fresh.length === 0;
    const of = (kind: 'run' | 'die' | 'lose', some: number[]) => some.map((call): Action => ({ kind, call }));
    if (this.isElsewhere) return of('run', ready.slice(0, 1));
    if (!mayFail) return of('run', fresh);
    const isTimeRead = this.readsAtStall !== this.clock.reads;
    this.readsAtStall = this.clock.reads;
    return [
      ...of('run', fresh),
      ...of(
        'die',
        fresh.filter((call) => this.isDeathNew(calls[call] as Running)),
      ),
      ...of(
        'lose',
        fresh.filter((call) => this.isWriteNext(calls[call] as Running)),
      ),
      ...(isTimeRead ? [{ kind: 'stall' } as const] : []),
    ];
  }

  /** Records the next step before it happens. */
  note(action: Action, calls: readonly Running[]): void {
    this.last = null;
    if (action.kind === 'stall') return;
    const call = calls[action.call] as Running;
    const waiting = this.stage.at(call.process.gateway);
    const ready = calls.flatMap(({ isWaiting, process }) =>
      isWaiting ? [] : (this.stage.at(process.gateway) ?? []),
    );
    if (waiting) this.last = { call: action.call, waiting, ready, isOver: () => call.outcome !== undefined };
  }

  /** Whether another schedule plays this command before the last command, with the same result (README). */
  private isPlayedElsewhere({ process, startedAt }: Running, call: number): boolean {
    const waiting = this.stage.at(process.gateway);
    if (!this.last || !waiting || call >= this.last.call || this.scene.withEquals) return false;
    if (startedAt === 0 && this.last.isOver()) return false;
    return this.last.ready.includes(waiting) && isIndependent(this.last.waiting.command, waiting.command);
  }

  /**
   * Whether to play a death of the process after the call's next command. After a read, it leaves the same state as a death before the
   * read (README).
   */
  private isDeathNew(call: Running): boolean {
    return call.startedAt === 0 || this.isWriteNext(call);
  }

  private isWriteNext({ process }: Running): boolean {
    const waiting = this.stage.at(process.gateway);
    return waiting !== undefined && !isRead(waiting.command);
  }
}

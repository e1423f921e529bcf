import { type Tell } from './command.js';

const lineEveryMs = 10_000;

/** Writes a line for every ten seconds that a step of a command takes: how far it is, and how much is left. */
export class Progress {
  private name = '';
  private total: number | undefined;
  private done = 0;
  private startedAtMs = 0;
  private printedAtMs = 0;

  constructor(
    private readonly tell: Tell,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  begin(name: string, total?: number): void {
    const nowMs = this.nowMs();
    Object.assign(this, { name, total, done: 0, startedAtMs: nowMs, printedAtMs: nowMs });
  }

  add(count: number): void {
    this.done += count;
    const { name, total, done } = this;
    const nowMs = this.nowMs();
    if (nowMs - this.printedAtMs < lineEveryMs) return;
    this.printedAtMs = nowMs;
    const perSecond = (1_000 * done) / (nowMs - this.startedAtMs);
    const left = total ? ` of ${total}, ${Math.ceil((total - done) / perSecond)} s left` : '';
    this.tell(`${name}: ${done}${left}`);
  }
}

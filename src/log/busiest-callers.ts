import { type Logger } from 'pino';

const everyMs = 60_000;
const mostCallers = 5;

/** Says who keeps the database busy, while the gateway rejects operations because it has too much to do. */
export class BusiestCallers {
  private readonly spentMs = new Map<string, number>();
  private hasShed = false;
  private readonly timer = setInterval(() => this.report(), everyMs).unref();

  constructor(private readonly log: Logger) {}

  /** @param caller its name in the log */
  add(caller: string, databaseMs: number): void {
    this.spentMs.set(caller, (this.spentMs.get(caller) ?? 0) + databaseMs);
  }

  noteShed(): void {
    this.hasShed = true;
  }

  /** Logs the five callers with most database time of the last minute, if an operation was rejected in this minute (Contract 11.5.2). */
  report(): void {
    const callers = [...this.spentMs]
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostCallers)
      .map(([caller, ms]) => ({ caller, databaseMs: Math.round(ms) }));
    if (this.hasShed) this.log.warn({ callers }, 'calls were shed: these callers used the database most');
    this.spentMs.clear();
    this.hasShed = false;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

export interface ProgressOutput {
  write(text: string): unknown;
  writableNeedDrain?: boolean;
  once?(event: 'drain', then: () => void): unknown;
}

const lineEveryMs = 5_000;

/** Writes a line every five seconds. */
export class Progress {
  private name = '';
  private total: number | undefined;
  private done = 0;
  private startedAtMs = 0;
  private printedAtMs = 0;
  private note = '';

  constructor(
    private readonly output: ProgressOutput,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  begin(name: string, total?: number): void {
    this.end();
    const nowMs = this.nowMs();
    Object.assign(this, { name, total, done: 0, note: '', startedAtMs: nowMs, printedAtMs: nowMs });
  }

  add(count: number, note = ''): void {
    this.done += count;
    this.note = note;
    if (this.nowMs() - this.printedAtMs >= lineEveryMs) this.show();
  }

  end(): void {
    if (this.name === '') return;
    this.show();
    this.name = '';
  }

  /** Waits for a slow reader, because unread lines would fill memory. */
  async line(text: string): Promise<void> {
    this.output.write(`${text}\n`);
    if (this.output.writableNeedDrain) await new Promise<void>((done) => this.output.once?.('drain', done));
  }

  private show(): void {
    this.printedAtMs = this.nowMs();
    const seconds = (this.printedAtMs - this.startedAtMs) / 1_000;
    const rate = seconds > 0 ? this.done / seconds : 0;
    const part = this.total ? Math.min(1, this.done / this.total) : undefined;
    const leftSeconds = this.total && rate > 0 ? (this.total - this.done) / rate : undefined;
    const text = [
      this.name,
      part === undefined ? '' : `${Math.floor(part * 100)} %`,
      `${this.done}${this.total ? ` of ${this.total}` : ''}`,
      `${Math.round(rate)}/s`,
      leftSeconds ? `${durationOf(leftSeconds)} left` : '',
      this.note,
    ]
      .filter(Boolean)
      .join('  ');
    this.output.write(`${text}\n`);
  }
}

const durationOf = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;

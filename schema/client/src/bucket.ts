import { defer, finalize, from, Observable, switchMap, timer } from 'rxjs';
import { type RateLimit } from './rate-limit.js';

/** A longer timer would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** An operation of a bucket, from its call to its end. */
export interface Place {
  /** The how-manieth of its bucket it is. */
  number: number;
  /** By `performance.now()`. Past it, the operation waits for nothing and is not sent again. */
  deadlineMs: number;
}

/** The operations that spend of one bucket of a quota. */
export class Bucket {
  private count = 0;
  /** How many may be under way: what the last reply says is left. */
  private left = Infinity;
  /** What went and is not answered, as far as it may have been no part of `left`. */
  private underWay = new Set<Place>();
  private limit = Infinity;
  private windowMs = Infinity;
  /** From when on the whole limit is left again. */
  private fullAtMs = Infinity;
  private waiting: (Place & { go: () => void })[] = [];
  private releaseTimer: ReturnType<typeof setTimeout> | undefined;
  private earlierMutations: Promise<unknown> = Promise.resolve();

  /** Takes down an operation that is called now. */
  enter(deadlineMs: number): Place {
    return { number: (this.count += 1), deadlineMs };
  }

  /**
   * Emits once, at once or, while the last reply says that no more is left than what is under way, when that ends. What waits
   * goes in the order of the calls. What would wait past its deadline goes at once, and learns from the gateway how long it
   * would be.
   */
  turn(place: Place): Observable<void> {
    return new Observable((subscriber) => {
      const go = (): void => {
        this.underWay.add(place);
        subscriber.next();
        subscriber.complete();
      };
      const waiter = { ...place, go };
      this.waiting = [...this.waiting, waiter].sort((a, b) => a.number - b.number);
      this.release();
      return () => this.remove(waiter);
    });
  }

  /** Whether the last reply says that the quota is spent. */
  isSpent(): boolean {
    return this.left <= 0 && performance.now() < this.fullAtMs;
  }

  /** Learns from the reply to an operation. */
  note(place: Place, { limit, remaining, resetSeconds }: RateLimit): void {
    this.limit = limit;
    this.left = remaining;
    // A full bucket tells no window, which has a second at least.
    this.windowMs = Math.max(resetSeconds, 1) * 1_000;
    this.fullAtMs = performance.now() + this.windowMs;
    this.leave(place);
  }

  /** An operation is under way no more, whether or not it was answered. */
  leave(place: Place): void {
    this.underWay.delete(place);
    this.release();
  }

  /**
   * Runs a mutation when every earlier one is done or past its deadline. It could overtake one that is sent again otherwise,
   * whose older input would then be stored over the newer.
   */
  afterEarlier<Result>({ deadlineMs }: Place, mutation: Observable<Result>): Observable<Result> {
    return defer(() => {
      const earlier = this.earlierMutations;
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      this.earlierMutations = Promise.all([earlier, left]);
      const patienceMs = Math.min(deadlineMs - performance.now(), longestTimerMs);
      const patience = timer(patienceMs).subscribe(() => leave());
      return from(earlier).pipe(
        switchMap(() => mutation),
        finalize(() => {
          patience.unsubscribe();
          leave();
        }),
      );
    });
  }

  private release(): void {
    clearTimeout(this.releaseTimer);
    if (performance.now() >= this.fullAtMs) {
      this.left = this.limit;
      // What was sent before was counted before. It would hold others back for ever if it were never answered.
      this.underWay.clear();
      this.fullAtMs = performance.now() + this.windowMs;
    }
    const mayGo = ({ deadlineMs }: Place): boolean =>
      this.underWay.size < this.left || deadlineMs < this.fullAtMs;
    // Each is looked for anew, for one that goes may be answered before the next does.
    for (let next = this.waiting.find(mayGo); next; next = this.waiting.find(mayGo)) {
      this.remove(next);
      next.go();
    }
    if (this.waiting.length > 0)
      this.releaseTimer = setTimeout(() => this.release(), Math.ceil(this.fullAtMs - performance.now()));
  }

  private remove(waiter: Place): void {
    this.waiting = this.waiting.filter((other) => other !== waiter);
    if (this.waiting.length === 0) clearTimeout(this.releaseTimer);
  }
}

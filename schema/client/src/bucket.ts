import { type DocumentNode } from 'graphql';
import { defer, finalize, from, Observable, switchMap, timer } from 'rxjs';
import { type RateLimit } from './rate-limit.js';

/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** An operation's place in the queue, from its call to its end. */
export interface Place {
  /** Increases with each call. */
  number: number;
  /** After this time of `performance.now()`, the operation neither waits nor retries. */
  deadlineMs: number;
  /** The units that the operation is expected to cost. */
  units: number;
}

interface Waiter extends Place {
  go: () => void;
  /** Told for how long the operation waits: again whenever the wait turns out longer. */
  onWait: (forMs: number) => void;
  /** When the wait ends, as last told. */
  toldUntilMs: number;
}

/** Enough for what a page shows at once. A search while somebody types has no end of variables. */
const mostVariables = 50;

/** The units that documents cost, by their variables: a list with a filter or a count costs more than the list alone. */
export class Costs {
  private readonly byDocument = new WeakMap<DocumentNode, Map<string, number>>();

  /** The last cost with these variables. For new variables, such as the cursor of the next page: the document's last cost, or 1. */
  expected(document: DocumentNode, variables: string): number {
    const costs = this.byDocument.get(document) ?? new Map<string, number>();
    return costs.get(variables) ?? [...costs.values()].at(-1) ?? 1;
  }

  note(document: DocumentNode, variables: string, units: number): void {
    const costs = this.byDocument.get(document) ?? new Map<string, number>();
    this.byDocument.set(document, costs);
    // A map has its entries in the order of their addition: the last variables are last.
    costs.delete(variables);
    costs.set(variables, units);
    const [oldest = variables] = costs.keys();
    if (costs.size > mostVariables) costs.delete(oldest);
  }
}

/** Queues the operations that share one bucket of a quota. */
export class Bucket {
  readonly costs = new Costs();
  private count = 0;
  /** The units that the quota has left, according to the last reply. */
  private left = Infinity;
  /** Operations in flight that the server might not have subtracted from `left` yet. */
  private underWay = new Set<Place>();
  private limit = Infinity;
  private windowMs = Infinity;
  /** When the window ends and the whole quota is available again. */
  private fullAtMs = Infinity;
  private waiting: Waiter[] = [];
  private releaseTimer: ReturnType<typeof setTimeout> | undefined;
  private earlierMutations: Promise<unknown> = Promise.resolve();

  enter(deadlineMs: number, units: number): Place {
    return { number: (this.count += 1), deadlineMs, units };
  }

  /**
   * Emits once, when the operation may be sent. Waiting operations that the quota has room for are sent in the order of their calls. An
   * operation that would wait past its deadline is sent at once, and the gateway's refusal says how long the wait would be.
   */
  turn(place: Place, onWait: Waiter['onWait']): Observable<void> {
    return new Observable((subscriber) => {
      const go = (): void => {
        this.underWay.add(place);
        subscriber.next();
        subscriber.complete();
      };
      const waiter = { ...place, go, onWait, toldUntilMs: 0 };
      this.waiting = [...this.waiting, waiter].sort((a, b) => a.number - b.number);
      this.release();
      return () => this.remove(waiter);
    });
  }

  hasRoomFor({ units }: Place): boolean {
    // A quota smaller than the cost would hold the operation back forever: the gateway refuses it.
    return Math.min(units, this.limit) <= this.left || performance.now() >= this.fullAtMs;
  }

  /** Updates the quota from the reply to an operation. */
  note(place: Place, { limit, remaining, resetSeconds }: RateLimit): void {
    this.limit = limit;
    this.left = remaining;
    // A full bucket reports 0 seconds, but a window lasts at least 1 second.
    this.windowMs = Math.max(resetSeconds, 1) * 1_000;
    this.fullAtMs = performance.now() + this.windowMs;
    this.leave(place);
  }

  /** Stops counting an operation as in flight, whether or not it was answered. */
  leave(place: Place): void {
    this.underWay.delete(place);
    this.release();
  }

  /**
   * Runs a mutation when every earlier mutation is done or past its deadline. Otherwise a retried mutation could overwrite newer
   * input.
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
      // Operations in flight count in the old window. Otherwise an operation that is never answered would block all others.
      this.underWay.clear();
      this.fullAtMs = performance.now() + this.windowMs;
    }
    const mayGo = ({ deadlineMs, units }: Place): boolean => {
      const inFlight = [...this.underWay].reduce((sum, place) => sum + place.units, 0);
      return inFlight + Math.min(units, this.limit) <= this.left || deadlineMs < this.fullAtMs;
    };
    // Search again each time: `go()` may get its answer at once, which changes who waits and who may go.
    for (let next = this.waiting.find(mayGo); next; next = this.waiting.find(mayGo)) {
      this.remove(next);
      next.go();
    }
    if (this.waiting.length === 0) return;
    const now = performance.now();
    const forMs = Math.ceil(this.fullAtMs - now);
    this.releaseWhenFull();
    for (const waiter of this.waiting.filter(({ toldUntilMs }) => toldUntilMs <= now)) {
      waiter.toldUntilMs = this.fullAtMs;
      waiter.onWait(forMs);
    }
  }

  /** A timer can be early by a fraction of a millisecond. Nobody is told to wait for that. */
  private releaseWhenFull(): void {
    const leftMs = this.fullAtMs - performance.now();
    if (leftMs <= 0) this.release();
    else this.releaseTimer = setTimeout(() => this.releaseWhenFull(), Math.ceil(leftMs));
  }

  private remove(waiter: Place): void {
    this.waiting = this.waiting.filter((other) => other !== waiter);
    if (this.waiting.length === 0) clearTimeout(this.releaseTimer);
  }
}

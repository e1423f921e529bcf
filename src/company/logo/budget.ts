/** Someone's part of a {@link Budget}. Parts are served in the order in which they were opened. */
export interface Share {
  /** Resolves once `amount` more is granted. One call at a time. */
  take(amount: number): Promise<void>;
  /** Gives back all that was taken. Must be called, whatever happened. */
  release(): void;
}

interface OpenShare {
  taken: number;
  wanted: { amount: number; grant: () => void } | undefined;
}

/**
 * A bound on something shared (bytes held, pixels decoded at once), taken in parts and waited for in order.
 *
 * Guarantees: never more than `limit` is out, but for the oldest share, which is never kept waiting. So shares that
 * grow piece by piece cannot wait for each other for ever, and one larger than the limit passes on its own.
 */
export class Budget {
  #used = 0;
  readonly #shares = new Set<OpenShare>();

  constructor(private readonly limit: number) {}

  open(): Share {
    const share: OpenShare = { taken: 0, wanted: undefined };
    this.#shares.add(share);
    return {
      take: (amount) =>
        new Promise((grant) => {
          share.wanted = { amount, grant };
          this.#grantInOrder();
        }),
      release: () => {
        this.#shares.delete(share);
        this.#used -= share.taken;
        share.taken = 0;
        this.#grantInOrder();
      },
    };
  }

  #grantInOrder(): void {
    let isOldest = true;
    for (const share of this.#shares) {
      if (share.wanted) {
        const { amount, grant } = share.wanted;
        if (!isOldest && this.#used + amount > this.limit) return;
        this.#used += amount;
        share.taken += amount;
        share.wanted = undefined;
        grant();
      }
      isOldest = false;
    }
  }
}

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
 * A bound on something shared, such as bytes held, taken in parts and waited for in order.
 *
 * Guarantees: never more than `limit` and one share is out. The one that may pass the limit is the oldest of those that
 * wait, until it is released. So shares that grow piece by piece cannot wait for each other for ever, one larger than
 * the limit passes on its own, and one that is held open without wanting anything stands in nobody's way.
 */
export class Budget {
  #used = 0;
  readonly #shares = new Set<OpenShare>();
  #passing: OpenShare | undefined;

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
        if (this.#passing === share) this.#passing = undefined;
        this.#used -= share.taken;
        share.taken = 0;
        this.#grantInOrder();
      },
    };
  }

  #grantInOrder(): void {
    if (this.#passing) this.#grant(this.#passing);
    for (const share of this.#shares) {
      if (share.wanted && this.#used + share.wanted.amount > this.limit) {
        if (this.#passing) return;
        this.#passing = share;
      }
      this.#grant(share);
    }
  }

  #grant(share: OpenShare): void {
    if (!share.wanted) return;
    const { amount, grant } = share.wanted;
    this.#used += amount;
    share.taken += amount;
    share.wanted = undefined;
    grant();
  }
}

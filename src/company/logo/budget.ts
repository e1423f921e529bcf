/** One owner's part of a {@link Budget}. Shares are served in the order in which they were opened. */
export interface Share {
  /** Resolves once `amount` more is granted. Call it again only after that. */
  take(amount: number): Promise<void>;
  /** Gives back all that was taken. Must be called, whatever happened. */
  release(): void;
}

interface OpenShare {
  owner: string;
  /** Counts what all shares of the owner take together. */
  own: Pot;
  taken: number;
  wanted: { amount: number; grant: () => void } | undefined;
}

/** Counts what is taken under one limit. One share at a time may pass the limit. */
class Pot {
  used = 0;
  passing: OpenShare | undefined;

  constructor(private readonly limit: number) {}

  /** Whether the share may take so much: either all stays within the limit, or this share is the one that may pass it. */
  admits(share: OpenShare, amount: number): boolean {
    return this.used + amount <= this.limit || (this.passing ??= share) === share;
  }

  giveBack(share: OpenShare): void {
    this.used -= share.taken;
    if (this.passing === share || this.used <= this.limit) this.passing = undefined;
  }
}

/**
 * Bounds something that requests share, such as the memory for their uploads. A share takes it piece by piece and waits in
 * order when nothing is left. Each owner of shares has a bound too, so that no owner can take everything.
 *
 * Guarantees: all shares together take at most the limit and one share more, and so do those of each owner. The share that
 * may pass the limit is the oldest that waits; it stays the one until it is released or all fit again. Without it, shares
 * that grow piece by piece could wait for each other for ever, and a share larger than the limit would never get through.
 * A share that is open but wants nothing holds nobody up. A share that may pass the limit of all may pass its owner's too.
 */
export class Budget {
  readonly #all: Pot;
  readonly #shares = new Set<OpenShare>();

  /** @param limits what all shares together may take, and those of one owner */
  constructor(private readonly limits: { all: number; each: number }) {
    this.#all = new Pot(limits.all);
  }

  open(owner: string): Share {
    const sibling = [...this.#shares].find((other) => other.owner === owner);
    const own = sibling?.own ?? new Pot(this.limits.each);
    const share: OpenShare = { owner, own, taken: 0, wanted: undefined };
    this.#shares.add(share);
    return {
      take: (amount) =>
        new Promise((grant) => {
          share.wanted = { amount, grant };
          this.#grantInOrder();
        }),
      release: () => {
        this.#shares.delete(share);
        for (const pot of [share.own, this.#all]) pot.giveBack(share);
        share.taken = 0;
        this.#grantInOrder();
      },
    };
  }

  #grantInOrder(): void {
    if (this.#all.passing) grant(this.#all.passing, this.#all);
    for (const share of this.#shares) {
      if (!share.wanted || !share.own.admits(share, share.wanted.amount)) continue;
      if (!this.#all.admits(share, share.wanted.amount)) return;
      grant(share, this.#all);
    }
  }
}

function grant(share: OpenShare, all: Pot): void {
  if (!share.wanted) return;
  const { amount, grant: tell } = share.wanted;
  for (const pot of [share.own, all]) pot.used += amount;
  share.taken += amount;
  share.wanted = undefined;
  tell();
}

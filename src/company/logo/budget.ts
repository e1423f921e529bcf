/** Someone's part of a {@link Budget}. Parts are served in the order in which they were opened. */
export interface Share {
  /** Resolves once `amount` more is granted. One call at a time. */
  take(amount: number): Promise<void>;
  /** Gives back all that was taken. Must be called, whatever happened. */
  release(): void;
}

interface OpenShare {
  owner: string;
  /** What all shares of the owner take together. */
  own: Pot;
  taken: number;
  wanted: { amount: number; grant: () => void } | undefined;
}

/** What is out of one limit, which a single share may pass at a time. */
class Pot {
  used = 0;
  passing: OpenShare | undefined;

  constructor(private readonly limit: number) {}

  /** Whether the share may take so much: it stays within the limit, or is the one that passes it. */
  admits(share: OpenShare, amount: number): boolean {
    return this.used + amount <= this.limit || (this.passing ??= share) === share;
  }

  giveBack(share: OpenShare): void {
    this.used -= share.taken;
    if (this.passing === share || this.used <= this.limit) this.passing = undefined;
  }
}

/**
 * A bound on something shared, such as bytes held, taken in parts and waited for in order. Each owner of shares has a
 * bound as well, so that none can have it all.
 *
 * Guarantees: never more than the limit and one share is out, of all together and of each owner. The one that may pass
 * the limit is the oldest of those that wait, until it is released or all fit again. So shares that grow piece by piece
 * cannot wait for each other for ever, one larger than the limit passes on its own, and one that is held open without
 * wanting anything stands in nobody's way. The one that passes the limit of all is not kept back by that of its owner.
 */
export class Budget {
  readonly #all: Pot;
  readonly #shares = new Set<OpenShare>();

  /** @param limits what may be out in all, and of one owner */
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

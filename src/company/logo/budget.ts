interface OpenShare {
  owner: string;
  own: Allowance;
  taken: number;
  wanted: { amount: number; grant: () => void } | undefined;
}

/** One share at a time may exceed the limit. */
class Allowance {
  used = 0;
  passing: OpenShare | undefined;

  constructor(private readonly limit: number) {}

  admits(share: OpenShare, amount: number): boolean {
    return this.used + amount <= this.limit || (this.passing ??= share) === share;
  }

  giveBack(share: OpenShare): void {
    this.used -= share.taken;
    if (this.passing === share || this.used <= this.limit) this.passing = undefined;
  }
}

/**
 * Limits a resource that requests share, such as memory for uploads, in total and for each owner. A request takes its share piece by
 * piece. When nothing is left, shares wait in order.
 *
 * Guarantees: all shares together exceed the common limit by at most one share, and an owner's shares exceed the owner's limit by at most
 * one share. The oldest waiting share may exceed the limit until it is released, or until the total is within the limit again. Otherwise
 * shares that grow piece by piece could wait for each other forever, and a share larger than the limit would never finish. An open share
 * that is not waiting does not block the shares behind it. A share that may exceed the common limit may also exceed its owner's limit.
 */
export class Budget {
  readonly #all: Allowance;
  readonly #shares = new Set<OpenShare>();

  constructor(private readonly limits: { all: number; each: number }) {
    this.#all = new Allowance(limits.all);
  }

  /** Opens a request's share, which is served in the order of opening. */
  open(owner: string) {
    const sibling = [...this.#shares].find((other) => other.owner === owner);
    const own = sibling?.own ?? new Allowance(this.limits.each);
    const share: OpenShare = { owner, own, taken: 0, wanted: undefined };
    this.#shares.add(share);
    return {
      /** Waits until `amount` more is granted. Don't call it again before then. */
      take: (amount: number) =>
        new Promise<void>((grant) => {
          share.wanted = { amount, grant };
          this.#grantInOrder();
        }),
      /** Gives back everything. Call it even after an error. */
      release: () => {
        this.#shares.delete(share);
        for (const allowance of [share.own, this.#all]) allowance.giveBack(share);
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

function grant(share: OpenShare, all: Allowance): void {
  if (!share.wanted) return;
  const { amount, grant: tell } = share.wanted;
  for (const allowance of [share.own, all]) allowance.used += amount;
  share.taken += amount;
  share.wanted = undefined;
  tell();
}

/** Which call made a change, as the change itself carries it (Contract 9.3.9). */
export interface CallDigest {
  /** Digest of the call's key, subject and operation, and of whatever else decides whose call it is. */
  key: string;
  /** Digest of its input, which a repetition must share. */
  input: string;
}

/** How long a call is remembered. */
export const rememberedMs = 86_400_000;

/** A call whose sender may repeat it, while it runs. */
export interface KeyedCall {
  readonly digest: CallDigest;
  /** When it was begun. */
  readonly at: Date;
  /**
   * Whether another run of the same call may have come before what was last read: this one took over from another, or can
   * no longer be sure that it was not taken over itself.
   */
  mayHaveRun(): boolean;
  /** Set once an earlier run of it was found: this one then changes nothing. */
  isReplayed: boolean;
}

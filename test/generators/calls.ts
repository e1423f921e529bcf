/** One call of each documented operation through a generated client. Each resolves with a part of the reply, read with its type. */
export interface Calls {
  getCompany(): Promise<string>;
  /** @param logo for clients that send files */
  updateCompany(logo: File): Promise<string | null>;
  postCompany(description: string): Promise<string>;
  /** The period of the pay, which can be null. */
  getJob(): Promise<'hour' | 'day' | 'week' | 'month' | 'year' | null>;
  /** Sets `pay` and two addresses of recruiters. */
  updateJob(recruiters: readonly [string, string]): Promise<string>;
  /** Clears the text of the pay. */
  patchJob(): Promise<string>;
  /** The states of drafts and published jobs. */
  getJobs(): Promise<('draft' | 'published' | 'archived')[]>;
  getChanges(): Promise<boolean>;
  getReferences(): Promise<string[]>;
  getHealth(): Promise<string>;
  getReadiness(): Promise<string>;
  getMetrics(): Promise<string>;
  /** The number of bytes, or at least of characters. */
  getLogo(hash: string): Promise<number>;
  getOpenApi(): Promise<unknown>;
  /** The code of the fault that an unknown contract causes. */
  refuse(): Promise<string | undefined>;
}

export type Connect = (url: string, token: string) => Calls;

import { ApolloClient, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import {
  JobDocument,
  type JobQuery,
  UpdateCompanyDocument,
  type UpdateCompanyInput,
  type UpdateCompanyMutation,
  UpdateJobDocument,
  type UpdateJobInput,
  type UpdateJobMutation,
} from '../../schema/client/src/documents.js';
import { explainError } from '../../schema/examples/explain-error.js';
import { readRefusal, type Refusal } from './gateway-errors.js';

type Job = NonNullable<JobQuery['job']>;
type SavedJob = NonNullable<UpdateJobMutation['updateJob']>;
type SavedCompany = NonNullable<UpdateCompanyMutation['updateCompany']>;

/** What came of saving something, as a form shows it. */
export type Outcome<Saved> =
  | { kind: 'saved'; saved: Saved }
  /** What to write beside which field of the form. */
  | { kind: 'invalid'; faults: Record<string, string> }
  /** Somebody else was first: what is stored now. */
  | { kind: 'changed'; current: Job | null; message: string }
  | { kind: 'refused'; message: string };

export interface FrontEndOptions {
  /** `http://127.0.0.1:4000/graphql` */
  url: string;
  /** Asks for a token: at first, and when the one at hand has ended. */
  signIn: () => Promise<string>;
  language?: 'en' | 'fr';
}

const defaultWaitSeconds = 1;
const mostTries = 4;

/** A front-end on which people edit their jobs and companies: what it knows of the gateway is its typed client. */
export class FrontEnd {
  private readonly client: ApolloClient;
  private token: string | null = null;

  constructor({ url, signIn, language = 'en' }: FrontEndOptions) {
    const authorize = new SetContextLink(async () => ({
      headers: {
        authorization: `Bearer ${(this.token ??= await signIn())}`,
        'accept-language': language,
        'apollo-require-preflight': 'true',
      },
    }));
    this.client = new ApolloClient({
      link: authorize.concat(new UploadHttpLink({ uri: url })),
      cache: new InMemoryCache(),
    });
  }

  /** The job as it is stored now, or null when there is none for this caller. */
  async readJob(publicId: string): Promise<Job | null> {
    const query = () =>
      this.client.query({ query: JobDocument, variables: { publicId }, fetchPolicy: 'network-only' });
    const answer = await this.patiently(query);
    return 'refusal' in answer ? null : (answer.data?.job ?? null);
  }

  /** Saves a job that was read at a version. */
  async saveJob(input: UpdateJobInput, expectedVersion: number): Promise<Outcome<SavedJob>> {
    const variables = { input, expectedVersion };
    const answer = await this.patiently(() => this.client.mutate({ mutation: UpdateJobDocument, variables }));
    if ('refusal' in answer) return this.outcomeOf(answer.refusal, input.jobPublicId);
    return savedOr(answer.data?.updateJob);
  }

  /** Saves a company; `input.logo` may be a file, which a form's file field gives. */
  async saveCompany(input: UpdateCompanyInput): Promise<Outcome<SavedCompany>> {
    const variables = { input };
    const answer = await this.patiently(() =>
      this.client.mutate({ mutation: UpdateCompanyDocument, variables }),
    );
    if ('refusal' in answer) return this.outcomeOf(answer.refusal);
    return savedOr(answer.data?.updateCompany);
  }

  /** Signs in again where the token has ended, and waits where the quota is spent; every other refusal is an answer. */
  private async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer | { refusal: Refusal }> {
    let hasSignedIn = false;
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (failure) {
        const refusal = readRefusal(failure);
        if (!refusal) throw failure;
        const [{ error, code }] = refusal.errors;
        if (error === 'unauthorized-limitation' && code === 'UNAUTHENTICATED' && !hasSignedIn) {
          hasSignedIn = true;
          this.token = null;
        } else if (error === 'rate-limit-exceeded' && tries < mostTries) {
          await pause(refusal.retryAfterSeconds ?? defaultWaitSeconds);
        } else return { refusal };
      }
    }
  }

  private async outcomeOf<Saved>(
    { errors: [error] }: Refusal,
    jobPublicId?: string,
  ): Promise<Outcome<Saved>> {
    switch (error.error) {
      case 'validation-failed':
        return {
          kind: 'invalid',
          faults: Object.fromEntries(error.fields.map(({ path, message }) => [path.at(-1) ?? '', message])),
        };
      case 'version-conflict':
        return {
          kind: 'changed',
          current: jobPublicId === undefined ? null : await this.readJob(jobPublicId),
          message: explainError(error),
        };
      case 'unauthorized-limitation':
      case 'company-already-existed':
      case 'company-not-published':
      case 'company-not-found':
      case 'job-not-found':
      case 'state-transition-not-allowed':
      case 'payload-too-large':
      case 'rate-limit-exceeded':
      case 'service-unavailable':
      case 'body-format-error':
      case 'method-not-allowed':
      case 'content-type-not-supported':
      case 'not-found':
      case 'idempotency-key-reuse':
      case 'internal-error':
        return { kind: 'refused', message: explainError(error) };
    }
  }
}

const savedOr = <Saved>(saved: Saved | null | undefined): Outcome<Saved> =>
  saved ? { kind: 'saved', saved } : { kind: 'refused', message: 'The gateway answered nothing.' };

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

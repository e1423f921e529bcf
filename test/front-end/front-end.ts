import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import {
  type Company,
  CompanyDocument,
  inputName,
  type Job,
  JobDocument,
  JobFormDocument,
  type JobFormQuery,
  JobHistoryDocument,
  type JobHistoryQuery,
  JobsDocument,
  type JobsQuery,
  readRefusal,
  type Refusal,
  UpdateCompanyDocument,
  type UpdateCompanyInput,
  UpdateJobDocument,
  type UpdateJobInput,
} from 'recruitment-gateway-client';
import { gatewayLink, type GatewayLinkOptions, typePolicies } from 'recruitment-gateway-client/apollo';
import { explainError } from '../../schema/examples/explain-error.js';

type JobList = NonNullable<JobsQuery['jobs']>;
type History = NonNullable<NonNullable<JobHistoryQuery['job']>['history']>['edges'];

/** A job with every field that a form can edit. */
export type EditedJob = NonNullable<JobFormQuery['job']>;

export type Outcome<Saved> =
  | { kind: 'saved'; saved: Saved }
  /** Messages to show, by the name of the input. */
  | { kind: 'invalid'; faults: Record<string, string> }
  /** Another writer saved first; `current` has the stored values. */
  | { kind: 'changed'; current: Saved | null; changedFields: string[]; message: string }
  | { kind: 'refused'; message: string };

export interface FrontEndOptions extends Pick<GatewayLinkOptions, 'onWait' | 'onWaitEnd'> {
  /** `http://127.0.0.1:4000/graphql` */
  url: string;
  /** Called before the first request, and again when the token has expired. */
  signIn: () => Promise<string>;
  language?: 'en' | 'fr';
}

const pageLength = 2;

/** Edits jobs and companies, only through the typed client. */
export class FrontEnd {
  private readonly client: ApolloClient;
  private token: string | null = null;

  constructor({ url, signIn, language = 'en', ...waiting }: FrontEndOptions) {
    const authorize = new SetContextLink(async () => ({
      headers: {
        authorization: `Bearer ${(this.token ??= await signIn())}`,
        'accept-language': language,
      },
    }));
    const signInAgain = new ErrorLink(({ error, operation, forward }) => {
      if (readRefusal(error)?.code !== 'UNAUTHENTICATED') return;
      this.token = null;
      return forward(operation);
    });
    this.client = new ApolloClient({
      link: ApolloLink.from([signInAgain, authorize, gatewayLink(waiting), new UploadHttpLink({ uri: url })]),
      cache: new InMemoryCache({ typePolicies }),
    });
  }

  /** Null if the gateway refuses. */
  async readJob(publicId: string): Promise<Job | null> {
    const answer = await answerOf(this.client.query({ query: JobDocument, variables: { publicId } }));
    return 'refusal' in answer ? null : (answer.data?.job ?? null);
  }

  /** The job, and the choices for its references. Skips the cache: lists raise the version there, but not all fields. */
  async readForm(publicId: string, withEmails = true): Promise<Outcome<JobFormQuery & { job: EditedJob }>> {
    const variables = { publicId, withEmails };
    const call = this.client.query({ query: JobFormDocument, variables, fetchPolicy: 'network-only' });
    const answer = await answerOf(call);
    if ('refusal' in answer) return this.outcomeOf(answer.refusal);
    const { data } = answer;
    return savedOr(data?.job && { ...data, job: data.job });
  }

  /** Skips the cache. Null if the gateway refuses. */
  async readCompany(mediaPublicId: string, publicId: string): Promise<Company | null> {
    const variables = { mediaPublicId, publicId };
    const call = this.client.query({ query: CompanyDocument, variables, fetchPolicy: 'network-only' });
    const answer = await answerOf(call);
    return 'refusal' in answer ? null : (answer.data?.company ?? null);
  }

  async readHistory(publicId: string, isFresh = false): Promise<History> {
    const fetchPolicy = isFresh ? 'network-only' : 'cache-first';
    const variables = { publicId, first: 10 };
    const answer = await answerOf(this.client.query({ query: JobHistoryDocument, variables, fetchPolicy }));
    return 'refusal' in answer ? [] : (answer.data?.job?.history?.edges ?? []);
  }

  /** Calls `show` with the first jobs, and again whenever a job changes. */
  watchJobs(
    mediaPublicId: string,
    { show, fail }: { show: (jobs: JobList) => void; fail: (failure: Error) => void },
  ): { more: () => Promise<void>; search: (name: string) => void } {
    const variables = { mediaPublicId, first: pageLength, withTotalCount: true };
    const watched = this.client.watchQuery({ query: JobsDocument, variables });
    let after: string | null = null;
    watched.subscribe(({ data, dataState, error }) => {
      if (error) fail(error);
      if (dataState !== 'complete' || !data.jobs) return;
      after = data.jobs.pageInfo.endCursor;
      show(data.jobs);
    });
    return {
      more: async () => void (await watched.fetchMore({ variables: { after, withTotalCount: false } })),
      search: (name) => void watched.setVariables({ ...variables, filter: name === '' ? null : { name } }),
    };
  }

  async saveJob(input: UpdateJobInput, expectedVersion: number): Promise<Outcome<EditedJob>> {
    const variables = { input, expectedVersion };
    const answer = await answerOf(this.client.mutate({ mutation: UpdateJobDocument, variables }));
    if (!('refusal' in answer)) return savedOr(answer.data?.updateJob?.job);
    return this.outcomeOf(answer.refusal, async () => {
      const form = await this.readForm(input.jobPublicId);
      return form.kind === 'saved' ? form.saved.job : null;
    });
  }

  async saveCompany(input: UpdateCompanyInput, expectedVersion?: number): Promise<Outcome<Company>> {
    const variables = { input, expectedVersion };
    const answer = await answerOf(this.client.mutate({ mutation: UpdateCompanyDocument, variables }));
    const { mediaPublicId, companyPublicId } = input;
    if ('refusal' in answer)
      return this.outcomeOf(answer.refusal, () => this.readCompany(mediaPublicId, companyPublicId ?? ''));
    return savedOr(answer.data?.updateCompany?.company);
  }

  private async outcomeOf<Saved>(
    error: Refusal,
    readCurrent: () => Promise<Saved | null> = () => Promise.resolve(null),
  ): Promise<Outcome<Saved>> {
    switch (error.error) {
      case 'validation-failed':
        return {
          kind: 'invalid',
          faults: Object.fromEntries(error.fields.map((fault) => [inputName(fault), fault.message])),
        };
      case 'version-conflict':
        return {
          kind: 'changed',
          current: await readCurrent(),
          changedFields: error.changedFields,
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

async function answerOf<Answer>(call: Promise<Answer>): Promise<Answer | { refusal: Refusal }> {
  try {
    return await call;
  } catch (failure) {
    const refusal = readRefusal(failure);
    if (!refusal) throw failure;
    return { refusal };
  }
}

const savedOr = <Saved>(saved: Saved | null | undefined): Outcome<Saved> =>
  saved ? { kind: 'saved', saved } : { kind: 'refused', message: 'The gateway answered nothing.' };

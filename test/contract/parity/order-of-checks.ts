import { companyCase, invalid, jobCase, type ParityCase } from './parity-case.js';

interface Stage {
  name: string;
  given: Partial<Pick<ParityCase, 'claims' | 'fields' | 'job' | 'expectedVersion'>>;
  answer: Pick<ParityCase, 'refused' | 'faults'>;
  /** Stages that cannot fail together with this one. */
  excludes?: readonly string[];
}

const reader = { scope: 'r_jobs r_companies' };
const unauthorized = { refused: 'unauthorized-limitation' } as const;

/** In the order of Contract 7.1.1. */
const ofAuthority: readonly Stage[] = [
  { name: 'no token', given: { claims: null }, answer: unauthorized, excludes: ['no scope', 'no role'] },
  { name: 'no role', given: { claims: { roles: [] } }, answer: unauthorized, excludes: ['no scope'] },
  { name: 'no scope', given: { claims: reader }, answer: unauthorized },
  {
    name: 'a media out of reach',
    given: { fields: { media_public_id: 'other-media' } },
    answer: unauthorized,
  },
];
const jobStages: readonly Stage[] = [
  ...ofAuthority,
  {
    name: 'a missing company_public_id',
    given: { fields: { company_public_id: ' ' } },
    answer: invalid('missing-company_public_id'),
    excludes: ['an absent company', 'an absent job', 'an unpublished company'],
  },
  {
    name: 'an absent company',
    given: { fields: { company_public_id: 'nowhere' } },
    answer: { refused: 'company-not-found' },
    excludes: ['an unpublished company'],
  },
  {
    name: 'an absent job',
    given: { job: 'nothing' },
    answer: { refused: 'job-not-found' },
    excludes: ['an unpublished company'],
  },
  {
    name: 'a wrong expected version',
    given: { expectedVersion: 7 },
    answer: { refused: 'version-conflict' },
  },
  {
    name: 'an unpublished company',
    given: { fields: { company_public_id: 'globex' }, job: 'globex-accountant' },
    answer: { refused: 'company-not-published' },
  },
  {
    name: 'an invalid field',
    given: { fields: { salary: '1'.repeat(31) } },
    answer: invalid('salary-too-long'),
  },
  {
    name: 'a state transition that is not allowed',
    given: { fields: { state: 'draft' } },
    answer: { refused: 'state-transition-not-allowed' },
  },
];

/** Makes the gateway use the media and company of the job. */
const byJob = { media_public_id: undefined, company_public_id: undefined };

/** With only the job’s public id, an absent job is answered like a job out of reach. */
const stagesByJob = jobStages
  .filter(({ given }) => given.job !== undefined || !given.fields?.company_public_id)
  .filter(({ given }) => !given.fields?.media_public_id)
  .map(({ answer, ...stage }) => ({
    ...stage,
    given: { ...stage.given, fields: { ...stage.given.fields, ...byJob } },
    answer: stage.given.job === 'nothing' ? unauthorized : answer,
  }));

const companyStages: readonly Stage[] = [
  ...ofAuthority,
  {
    name: 'no company identifier',
    given: { fields: { company_public_id: undefined } },
    answer: invalid('missing-company_public_id'),
    excludes: ['an absent company', 'a name that is taken'],
  },
  {
    name: 'an absent company',
    given: { fields: { company_public_id: 'nowhere' } },
    answer: { refused: 'company-not-found' },
  },
  {
    name: 'a wrong expected version',
    given: { expectedVersion: 7 },
    answer: { refused: 'version-conflict' },
  },
  {
    name: 'an invalid field',
    given: { fields: { size_id: 'nothing' } },
    answer: invalid('size_id-not-found'),
  },
  {
    name: 'a name that is taken',
    given: { fields: { name: 'Globex' } },
    answer: { refused: 'company-already-existed' },
  },
];

function pairsOf(stages: readonly Stage[], make: typeof jobCase): ParityCase[] {
  return stages.flatMap((earlier, index) =>
    stages
      .slice(index + 1)
      .filter(({ name }) => !earlier.excludes?.includes(name))
      .map((later) =>
        make(`${earlier.name} is reported before ${later.name} (Contract 7.1.1)`, {
          ...later.given,
          ...earlier.given,
          fields: { ...later.given.fields, ...earlier.given.fields },
          ...earlier.answer,
        }),
      ),
  );
}

export const orderOfChecks: readonly ParityCase[] = [
  ...jobStages.map(({ name, given, answer }) =>
    jobCase(`a job update with ${name} is refused (Contract 7.1.1)`, { fields: {}, ...given, ...answer }),
  ),
  ...pairsOf(jobStages, jobCase),
  ...pairsOf(stagesByJob, (title, outcome) => jobCase(`by the job’s public id alone, ${title}`, outcome)),
  ...(
    [
      ['the job’s media and company', {}],
      ['the job’s media', { company_public_id: undefined }],
      ['the job’s company', { media_public_id: undefined }],
      ['neither media nor company', byJob],
    ] as const
  ).flatMap(([named, fields]) => [
    jobCase(`a request that sends ${named} updates the job (Contract 5.4.2)`, {
      fields: { ...fields, salary: '1' },
      stored: { salary: '1' },
    }),
  ]),
  ...['nothing', 'initech-tester'].flatMap((job) => [
    jobCase(`job ${job} with a media within reach and no company gets job-not-found (Contract 5.4.2)`, {
      fields: { company_public_id: undefined },
      job,
      refused: 'job-not-found',
    }),
    jobCase(`job ${job} with an absent company and no media is refused (Contract 5.4.2)`, {
      fields: { media_public_id: undefined, company_public_id: 'nowhere' },
      job,
      ...unauthorized,
    }),
  ]),
  ...['globex', 'nowhere'].flatMap((company_public_id) => [
    jobCase(
      `a request that sends company ${company_public_id} and no media for a job within reach gets job-not-found (Contract 5.4.2)`,
      {
        fields: { media_public_id: undefined, company_public_id },
        refused: 'job-not-found',
      },
    ),
    jobCase(
      `a partner’s own job with company ${company_public_id} and no media is refused (Contract 5.4.2)`,
      {
        fields: { media_public_id: undefined, company_public_id },
        claims: { sub: 'partner-a', roles: ['media_partner'] },
        ...unauthorized,
      },
    ),
  ]),
  ...companyStages.map(({ name, given, answer }) =>
    companyCase(`a company update with ${name} is refused (Contract 7.1.1)`, {
      fields: {},
      ...given,
      ...answer,
    }),
  ),
  ...pairsOf(companyStages, companyCase),
  jobCase('a job outside the sent company is reported as absent (Contract 5.4.2)', {
    fields: {},
    job: 'globex-accountant',
    refused: 'job-not-found',
  }),
  jobCase('a job outside the sent media is reported as absent (Contract 5.4.2)', {
    fields: {},
    job: 'initech-tester',
    refused: 'job-not-found',
  }),
];

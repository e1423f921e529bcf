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

/** In the order of Contract 7.6.1. */
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
        make(`${earlier.name} is reported before ${later.name} (Contract 7.6.1)`, {
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
    jobCase(`a job update with ${name} is refused (Contract 7.6.1)`, { fields: {}, ...given, ...answer }),
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
    jobCase(`a request that sends ${named} updates the job (Contract 4.2.4)`, {
      fields: { ...fields, salary: '1' },
      stored: { salary: '1' },
    }),
    jobCase(`a partner that sends ${named} may not update another partner’s job (Contract 5.6.2)`, {
      fields: { ...fields, salary: '1' },
      claims: { sub: 'partner-b', roles: ['media_partner'] },
      ...unauthorized,
    }),
    jobCase(`a brand that sends ${named} may update its own job (Contract 5.6.3)`, {
      fields: { ...fields, salary: '1' },
      claims: { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
      stored: { salary: '1' },
    }),
  ]),
  ...['nothing', 'initech-tester'].flatMap((job) => [
    jobCase(`job ${job} with a media within reach and no company gets job-not-found (Contract 4.2.4)`, {
      fields: { company_public_id: undefined },
      job,
      refused: 'job-not-found',
    }),
    jobCase(`job ${job} with an absent company and no media is refused (Contract 4.2.4)`, {
      fields: { media_public_id: undefined, company_public_id: 'nowhere' },
      job,
      ...unauthorized,
    }),
  ]),
  ...['globex', 'nowhere'].flatMap((company_public_id) => [
    jobCase(
      `a request that sends company ${company_public_id} and no media for a job within reach gets job-not-found (Contract 4.2.4)`,
      {
        fields: { media_public_id: undefined, company_public_id },
        refused: 'job-not-found',
      },
    ),
    jobCase(
      `a partner’s own job with company ${company_public_id} and no media is refused (Contract 4.2.4)`,
      {
        fields: { media_public_id: undefined, company_public_id },
        claims: { sub: 'partner-a', roles: ['media_partner'] },
        ...unauthorized,
      },
    ),
  ]),
  ...companyStages.map(({ name, given, answer }) =>
    companyCase(`a company update with ${name} is refused (Contract 7.6.1)`, {
      fields: {},
      ...given,
      ...answer,
    }),
  ),
  ...pairsOf(companyStages, companyCase),
  jobCase('an absent media is answered like a media out of reach (Contract 5.7.1)', {
    fields: { media_public_id: 'no-media' },
    ...unauthorized,
  }),
  ...['', '  '].map((id) =>
    jobCase(`media and company ids of ${JSON.stringify(id)} are reported as missing (Contract 4.2.2)`, {
      fields: { media_public_id: id, company_public_id: id },
      ...invalid('missing-company_public_id', 'missing-media_public_id'),
    }),
  ),
  jobCase('every identifier that is not a text is reported (Contract 4.2.2)', {
    fields: { media_public_id: 5, company_public_id: ['acme', 'acme'] },
    ...invalid('company_public_id-must-be-string', 'media_public_id-must-be-string'),
    isRefusedByTypes: true,
  }),
  jobCase('a job outside the sent company is reported as absent (Contract 4.2.4)', {
    fields: {},
    job: 'globex-accountant',
    refused: 'job-not-found',
  }),
  jobCase('a job outside the sent media is reported as absent (Contract 4.2.4)', {
    fields: {},
    job: 'initech-tester',
    refused: 'job-not-found',
  }),
  jobCase('with partial reach, an absent job is answered like a job out of reach (Contract 5.7.2)', {
    fields: {},
    job: 'nothing',
    claims: { sub: 'partner-a', roles: ['media_partner'] },
    ...unauthorized,
  }),
  jobCase('a partner may not update another partner’s job (Contract 5.6.2)', {
    fields: { salary: '1' },
    claims: { sub: 'partner-b', roles: ['media_partner'] },
    ...unauthorized,
  }),
  jobCase('a partner may update its own job (Contract 5.6.2)', {
    fields: { salary: '1' },
    claims: { sub: 'partner-a', roles: ['media_partner'] },
    stored: { salary: '1' },
  }),
  companyCase(
    'with partial reach, an absent company is answered like a company out of reach (Contract 5.7.2)',
    {
      fields: { company_public_id: 'nowhere' },
      claims: { sub: 'partner-a', roles: ['media_partner'] },
      ...unauthorized,
    },
  ),
  companyCase('a brand may update its own company (Contract 5.6.3)', {
    fields: { description: 'Ours.' },
    claims: { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
    stored: { description: 'Ours.' },
  }),
];

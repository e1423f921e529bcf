import {
  CompanyFormDocument,
  CompanyHistoryDocument,
  JobFormDocument,
  JobHistoryDocument,
  JobsDocument,
  type JobState,
  UpdateCompanyDocument,
  UpdateJobDocument,
} from 'recruitment-gateway-client';
import {
  companyInputOf,
  createEdit,
  inputAttributes,
  jobInputOf,
  labelOf,
  UploadError,
  uploadLogo,
} from 'recruitment-gateway-client/forms';
import { h, one, run, showForm, tell } from './form';
import { call, gateway, language, media, token } from './gateway';
import { options, text } from './texts';

const search = one('search').querySelector('input') ?? h('input', {});
let state: JobState | null = null;
let isDirty = () => false;

async function showTabs(): Promise<void> {
  const states = options('JobState');
  const lists = states.map(
    ([id]) => `${id}: jobs(mediaPublicId: $media, first: 1, filter: { states: [${id}] }) { totalCount }`,
  );
  const document = `query Tabs($media: String!) { all: jobs(mediaPublicId: $media, first: 1) { totalCount } ${lists.join(' ')} }`;
  const counts = await call<Record<string, { totalCount: number | null }>, object>(document, { media });
  const tab = (id: string | null, label: string) => {
    const select = () => ((state = id as JobState | null), run(showTabs()), run(showList()));
    return h(
      'button',
      { role: 'tab', ariaSelected: String(id === state), onclick: select },
      `${label} ${counts[id ?? 'all']?.totalCount ?? ''}`,
    );
  };
  one('tabs').replaceChildren(tab(null, text('all')), ...states.map(([id, label]) => tab(id, label)));
}

let newest = 0;
async function showList(after: string | null = null): Promise<void> {
  const turn = (newest += 1);
  const filter = { ...(state && { states: [state] }), ...(search.value && { name: search.value }) };
  const { jobs } = await call(JobsDocument, {
    mediaPublicId: media,
    filter,
    after,
    first: 20,
    sort: 'updated_at_desc',
    withTotalCount: false,
  });
  if (turn !== newest) return;
  const items = (jobs?.edges ?? []).map(({ node }) =>
    h(
      'li',
      {},
      h(
        'a',
        { href: `#/jobs/${node.publicId}` },
        h('span', { className: 'row' }, h('b', {}, node.name), chip(node.state)),
        h('small', {}, `${node.company.name}${node.localisation ? `, ${node.localisation}` : ''}`),
      ),
    ),
  );
  one('list').replaceChildren(
    ...(after ? one('list').children : []),
    ...(items.length > 0 || after ? items : [text('none')]),
  );
  one('more').hidden = !jobs?.pageInfo.hasNextPage;
  one('more').onclick = () => run(showList(jobs?.pageInfo.endCursor));
  markOpen();
}

const chip = (value: JobState) =>
  h('small', { className: `chip ${value}` }, labelOf('JobState', value, language));
const heading = (title: string, ...below: (Node | string)[]) => [
  h('a', { href: '#', className: 'back' }, text('back')),
  h('h1', {}, title),
  h('p', { className: 'soft' }, ...below),
];
const refreshList = () => (run(showTabs()), run(showList()));

async function showJob(publicId: string): Promise<void> {
  const read = async () => {
    const { job, ...references } = await call(JobFormDocument, { publicId, withEmails: true });
    if (!job) throw new Error(text('none'));
    return { job, references, input: jobInputOf(job), version: job.version };
  };
  const { job, references, input, version } = await read();
  const edit = createEdit(input, version);
  isDirty = () => edit.isDirty;
  showForm({
    ...{
      type: 'UpdateJobInput',
      edit,
      read,
      ids: { jobPublicId: publicId },
      mayEdit: job.viewerCanUpdate,
      onSaved: refreshList,
    },
    heading: heading(job.name, h('a', { href: `#/companies/${job.company.publicId}` }, job.company.name)),
    sections: [
      [
        'publication',
        ['state', 'expiresAt', 'applicationMethod', 'applicationUrl', 'managerEmails', 'recruiterEmails'],
      ],
      [
        'position',
        [
          'contractId',
          'jobCategoryId',
          'worktimeId',
          'remotePolicyId',
          'educationId',
          'experienceId',
          'localisation',
        ],
      ],
      [
        'pay',
        [
          'salary',
          'salaryRange.minimum',
          'salaryRange.maximum',
          'salaryRange.currency',
          'salaryRange.period',
        ],
      ],
      [
        'texts',
        [
          'descriptionJob',
          'descriptionProfile',
          'descriptionBenefits',
          'descriptionProcess',
          'descriptionCompany',
        ],
      ],
    ],
    references: {
      contractId: references.contracts,
      jobCategoryId: references.jobCategories,
      worktimeId: references.worktimes,
      remotePolicyId: references.remotePolicies,
      educationId: references.educations,
      experienceId: references.experiences,
    },
    update: async (variables) => {
      const { updateJob } = await call(UpdateJobDocument, variables);
      if (!updateJob) throw new Error(text('none'));
      return { input: jobInputOf(updateJob.job), version: updateJob.job.version };
    },
    history: async () =>
      (await call(JobHistoryDocument, { publicId, first: 10 })).job?.history?.edges.map(({ node }) => node) ??
      [],
  });
}

async function showCompany(publicId: string): Promise<void> {
  const ids = { mediaPublicId: media, publicId };
  const read = async () => {
    const { company, sectors, sizes } = await call(CompanyFormDocument, ids);
    if (!company) throw new Error(text('none'));
    return { company, sectors, sizes, input: companyInputOf(company), version: company.version };
  };
  const { company, sectors, sizes, input, version } = await read();
  const edit = createEdit(input, version);
  isDirty = () => edit.isDirty;

  const image = h('img', {
    alt: '',
    src: company.content.visual.logo ?? '',
    hidden: !company.content.visual.logo,
  });
  const progress = h('progress', { hidden: true, max: 1 });
  const fault = h('em', { role: 'alert' });
  async function send(logo: File | undefined): Promise<void> {
    if (!logo) return;
    Object.assign(progress, { hidden: false, value: 0 });
    fault.textContent = '';
    try {
      const onProgress = (part: number) => void (progress.value = part);
      await uploadLogo({
        gateway,
        token: await token(),
        mediaPublicId: media,
        companyPublicId: publicId,
        logo,
        language,
        onProgress,
      });
      const current = await read();
      edit.merge(current.input, current.version);
      Object.assign(image, { src: current.input.logoUrl ?? '', hidden: false });
      tell(text('saved'));
    } catch (failure) {
      if (!(failure instanceof UploadError)) throw failure;
      fault.textContent = failure.message;
    } finally {
      progress.hidden = true;
    }
  }
  const file = h('input', {
    ...inputAttributes('UpdateCompanyInput', 'logo'),
    onchange: () => run(send(file.files?.[0])),
  });
  const drop = h('label', { className: 'drop row' }, image, h('span', {}, text('drop')), file);
  const isOver = (is: boolean) => (event: DragEvent) => (
    event.preventDefault(),
    drop.classList.toggle('over', is)
  );
  const ondrop = (event: DragEvent) => (isOver(false)(event), run(send(event.dataTransfer?.files[0])));
  Object.assign(drop, { ondragover: isOver(true), ondragleave: isOver(false), ondrop });

  showForm(
    {
      ...{ type: 'UpdateCompanyInput', edit, read, mayEdit: company.viewerCanUpdate, onSaved: refreshList },
      ids: { mediaPublicId: media, companyPublicId: publicId },
      heading: heading(company.name, text('company')),
      sections: [['company', ['name', 'domainUrl', 'sizeId', 'sectorIds', 'description']]],
      references: { sizeId: sizes, sectorIds: sectors },
      update: async (variables) => {
        const { updateCompany } = await call(UpdateCompanyDocument, variables);
        if (!updateCompany) throw new Error(text('none'));
        return { input: companyInputOf(updateCompany.company), version: updateCompany.company.version };
      },
      history: async () =>
        (await call(CompanyHistoryDocument, { ...ids, first: 10 })).company?.history?.edges.map(
          ({ node }) => node,
        ) ?? [],
    },
    ...(company.viewerCanUpdate ? [h('section', { className: 'card' }, drop, progress, fault)] : []),
  );
}

function markOpen(): void {
  for (const link of one('list').querySelectorAll('a'))
    link.ariaCurrent = link.hash === location.hash ? 'page' : null;
}

let opened = location.hash;
function route(): void {
  if (isDirty() && !confirm(text('leave'))) return history.replaceState(null, '', opened || '#');
  opened = location.hash;
  isDirty = () => false;
  const [, kind, id] = /^#\/(jobs|companies)\/(.+)$/.exec(opened) ?? [];
  document.body.classList.toggle('opened', id !== undefined);
  tell('');
  markOpen();
  if (id === undefined) one('main').replaceChildren(h('p', { className: 'empty soft' }, text('choose')));
  else run(kind === 'jobs' ? showJob(decodeURIComponent(id)) : showCompany(decodeURIComponent(id)));
}
window.onhashchange = route;
window.onbeforeunload = (event) => void (isDirty() && event.preventDefault());

document.documentElement.lang = language;
one('media').textContent = media;
Object.assign(search, {
  placeholder: text('search'),
  ariaLabel: text('search'),
  oninput: () => run(showList()),
});
one('search').onsubmit = (event) => event.preventDefault();
one('more').textContent = text('more');
const other = language === 'fr' ? 'en' : 'fr';
one('language').textContent = labelOf('Language', other, other);
one('language').onclick = () => {
  const next = new URLSearchParams(location.search);
  next.set('language', other);
  location.search = next.toString();
};
refreshList();
route();

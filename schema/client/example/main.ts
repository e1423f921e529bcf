import * as client from 'recruitment-gateway-client';
import * as kit from 'recruitment-gateway-client/forms';
import { h, one, run, tell } from './dom';
import { showForm } from './form';
import { call, gateway, language, media, token } from './gateway';
import { options, text } from './texts';

const search = one('search').querySelector('input') ?? h('input');
let state: client.JobState | undefined;
let isDirty = () => false;

async function showTabs(): Promise<void> {
  const states = options('JobState');
  const counted = (id: string, filter: string) =>
    `${id}: jobs(mediaPublicId: $media, first: 1${filter}) { totalCount }`;
  const lists = states.map(([id]) => counted(id, `, filter: { states: [${id}] }`));
  const document = `query Tabs($media: String!) { ${counted('all', '')} ${lists.join(' ')} }`;
  const counts = await call<Record<string, { totalCount: number | null }>, object>(document, { media });
  const tab = ([id, label]: [string, string]) => {
    const onclick = () => ((state = id === 'all' ? undefined : (id as client.JobState)), refreshList());
    const ariaSelected = String(id === (state ?? 'all'));
    return h('button', { role: 'tab', ariaSelected, onclick }, `${label} ${counts[id]?.totalCount ?? ''}`);
  };
  one('tabs').replaceChildren(...[['all', text('all')] as [string, string], ...states].map(tab));
}

let newest = 0;
async function showList(after: string | null = null): Promise<void> {
  const turn = (newest += 1);
  const filter = { ...(state && { states: [state] }), ...(search.value && { name: search.value }) };
  const page = { after, first: 20, sort: 'updated_at_desc', withTotalCount: false } as const;
  const { jobs } = await call(client.JobsDocument, { mediaPublicId: media, filter, ...page });
  if (turn !== newest) return;
  const items = (jobs?.edges ?? []).map(({ node }) => {
    const chip = h(`small.chip.${node.state}`, kit.labelOf('JobState', node.state, language));
    const where = [node.company.name, node.localisation].filter(Boolean).join(', ');
    return h(
      'li',
      h('a', { href: `#/jobs/${node.publicId}` }, h('span.row', h('b', node.name), chip), h('small', where)),
    );
  });
  const before = after ? one('list').children : [];
  one('list').replaceChildren(...before, ...(items.length > 0 || after ? items : [text('none')]));
  one('more').hidden = !jobs?.pageInfo.hasNextPage;
  one('more').onclick = () => run(showList(jobs?.pageInfo.endCursor));
  markOpen();
}
const refreshList = () => (run(showTabs()), run(showList()));

const heading = (title: string, ...below: (Node | string)[]) => [
  h('a.back', { href: '#' }, text('back')),
  h('h1', title),
  h('p.soft', ...below),
];

function found<Value>(value: Value | null | undefined): Value {
  if (!value) throw new Error(text('none'));
  return value;
}

async function showJob(publicId: string): Promise<void> {
  const stored = (job: Parameters<typeof kit.jobInputOf>[0]) => ({
    input: kit.jobInputOf(job),
    version: job.version,
  });
  const readForm = () => call(client.JobFormDocument, { publicId, withEmails: true });
  const form = await readForm();
  const job = found(form.job);
  const edit = kit.createEdit(kit.jobInputOf(job), job.version);
  isDirty = () => edit.isDirty;
  const section = (title: Parameters<typeof text>[0], names: string) => ({ title: text(title), names });
  showForm({
    ...{ type: 'UpdateJobInput', edit, ids: { jobPublicId: publicId }, mayEdit: job.viewerCanUpdate },
    heading: heading(job.name, h('a', { href: `#/companies/${job.company.publicId}` }, job.company.name)),
    sections: [
      section(
        'publication',
        'state expiresAt applicationMethod applicationUrl managerEmails recruiterEmails',
      ),
      section(
        'position',
        'contractId jobCategoryId worktimeId remotePolicyId educationId experienceId localisation',
      ),
      section(
        'pay',
        'salary salaryRange.minimum salaryRange.maximum salaryRange.currency salaryRange.period',
      ),
      section(
        'texts',
        'descriptionJob descriptionProfile descriptionBenefits descriptionProcess descriptionCompany',
      ),
    ],
    references: {
      contractId: form.contracts,
      jobCategoryId: form.jobCategories,
      worktimeId: form.worktimes,
      remotePolicyId: form.remotePolicies,
      educationId: form.educations,
      experienceId: form.experiences,
    },
    read: async () => stored(found((await readForm()).job)),
    update: async (variables) =>
      stored(found((await call(client.UpdateJobDocument, variables)).updateJob).job),
    history: async () =>
      (await call(client.JobHistoryDocument, { publicId, first: 10 })).job?.history?.edges.map(
        ({ node }) => node,
      ),
    onSaved: refreshList,
  });
}

async function showCompany(publicId: string): Promise<void> {
  const ids = { mediaPublicId: media, companyPublicId: publicId };
  const stored = (company: Parameters<typeof kit.companyInputOf>[0]) => ({
    input: kit.companyInputOf(company),
    version: company.version,
  });
  const readForm = () => call(client.CompanyFormDocument, { mediaPublicId: media, publicId });
  const read = async () => stored(found((await readForm()).company));
  const { company: shown, sectors, sizes } = await readForm();
  const company = found(shown);
  const edit = kit.createEdit(kit.companyInputOf(company), company.version);
  isDirty = () => edit.isDirty;

  const image = h('img', { alt: '' });
  const progress = h('progress', { hidden: true, max: 1 });
  const fault = h('em', { role: 'alert' });
  const showLogo = (url: string | null) => Object.assign(image, { src: url ?? '', hidden: !url });
  showLogo(edit.input.logoUrl);
  async function send(logo: File | undefined): Promise<void> {
    if (!logo) return;
    Object.assign(progress, { hidden: false, value: 0 });
    fault.textContent = '';
    try {
      const onProgress = (part: number) => void (progress.value = part);
      await kit.uploadLogo({ gateway, token: await token(), ...ids, logo, language, onProgress });
      const { input, version } = await read();
      edit.merge(input, version);
      showLogo(input.logoUrl);
      tell(text('saved'));
    } catch (failure) {
      if (!(failure instanceof kit.UploadError)) throw failure;
      fault.textContent = failure.message;
    } finally {
      progress.hidden = true;
    }
  }
  const file = h('input', kit.inputAttributes('UpdateCompanyInput', 'logo'), {
    onchange: () => run(send(file.files?.[0])),
  });
  const drop = h('label.drop.row', image, h('span', text('drop')), file);
  const over = (isOver: boolean) => (event: Event) => (
    event.preventDefault(),
    drop.classList.toggle('over', isOver)
  );
  const ondrop = (event: DragEvent) => (over(false)(event), run(send(event.dataTransfer?.files[0])));
  Object.assign(drop, { ondragover: over(true), ondragleave: over(false), ondrop });

  showForm(
    {
      ...{
        type: 'UpdateCompanyInput',
        edit,
        ids,
        read,
        mayEdit: company.viewerCanUpdate,
        onSaved: refreshList,
      },
      heading: heading(company.name, text('company')),
      sections: [{ title: text('company'), names: 'name domainUrl sizeId sectorIds description' }],
      references: { sizeId: sizes, sectorIds: sectors },
      update: async (variables) =>
        stored(found((await call(client.UpdateCompanyDocument, variables)).updateCompany).company),
      history: async () => {
        const answer = await call(client.CompanyHistoryDocument, {
          mediaPublicId: media,
          publicId,
          first: 10,
        });
        return answer.company?.history?.edges.map(({ node }) => node);
      },
    },
    h('section.card', { hidden: !company.viewerCanUpdate }, drop, progress, fault),
  );
}

function markOpen(): void {
  for (const link of one('list').querySelectorAll('a'))
    link.ariaCurrent = String(link.hash === location.hash);
}

let opened = location.hash;
function route(): void {
  if (isDirty() && !confirm(text('leave'))) return history.replaceState(null, '', opened || '#');
  opened = location.hash;
  isDirty = () => false;
  const [, kind, id = ''] = /^#\/(jobs|companies)\/(.+)$/.exec(opened) ?? [];
  document.body.classList.toggle('opened', id !== '');
  tell('');
  markOpen();
  if (id === '') one('main').replaceChildren(h('p.soft', text('choose')));
  else run((kind === 'jobs' ? showJob : showCompany)(decodeURIComponent(id)));
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
one('language').textContent = kit.labelOf('Language', other, other);
one('language').onclick = () =>
  void (location.search = new URLSearchParams({ gateway, media, language: other }).toString());
refreshList();
route();

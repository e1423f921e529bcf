import * as client from 'recruitment-gateway-client';
import * as kit from 'recruitment-gateway-client/forms';
import { h, load, one, run, tell } from './dom';
import { formOf } from './form';
import { call, gateway, language, media, token } from './gateway';
import { fieldName, options, text } from './texts';

const [search, contract, place] = [h('input'), h('select'), h('input')];
let state: client.JobState | undefined;
const isDirty = () => one('main').querySelector('form.dirty') !== null;

const filter = (): client.JobFilter => ({
  ...(search.value && { name: search.value }),
  ...(contract.value && { contractIds: [contract.value] }),
  ...(place.value && { place: place.value }),
});

async function tabs(): Promise<Node[]> {
  const { jobCounts } = await call(client.JobCountsDocument, { mediaPublicId: media, filter: filter() });
  const counts = new Map((jobCounts ?? []).map((each) => [String(each.state), each.count]));
  counts.set('all', total([...counts.values()]));
  const tab = ([id, label]: [string, string]) => {
    const onclick = () => ((state = id === 'all' ? undefined : (id as client.JobState)), refreshList());
    const ariaSelected = String(id === (state ?? 'all'));
    return h('button', { role: 'tab', ariaSelected, onclick }, `${label} ${inWords(counts.get(id))}`);
  };
  return [['all', text('all')] as [string, string], ...options('JobState')].map(tab);
}
/** Null if a state has too many jobs to count. */
const total = (counts: (number | null)[]) =>
  counts.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
const inWords = (count: number | null = null) =>
  count !== null && count > 10_000 ? '10 000+' : `${count ?? ''}`;

/** The list with the page after the cursor, whose last item is a button for the next page. */
async function listed(shown: Node[] = [], after: string | null = null): Promise<Node[]> {
  const page = { after, first: 20, sort: 'updated_at_desc', withTotalCount: false } as const;
  const { jobs } = await call(client.JobsDocument, {
    mediaPublicId: media,
    filter: { ...filter(), ...(state && { states: [state] }) },
    ...page,
  });
  const items = (jobs?.edges ?? []).map(({ node }) => {
    const chip = h(`small.chip.${node.state}`, kit.labelOf('JobState', node.state, language));
    const where = [node.company.name, node.localisation].filter(Boolean).join(', ');
    const link = { href: `#/jobs/${node.publicId}` };
    return h('li', h('a', link, h('span.row', h('b', node.name), chip), h('small', where)));
  });
  const all = [...shown, ...items];
  if (all.length === 0) return [h('li', text('none'))];
  const next = () => run(showList(all, jobs?.pageInfo.endCursor));
  const more = h('li', h('button', { type: 'button', onclick: next }, text('more')));
  return jobs?.pageInfo.hasNextPage ? [...all, more] : all;
}
const showList = async (shown?: Node[], after?: string | null) => {
  await load(one('list'), () => listed(shown, after));
  markOpen();
};
const refreshList = () => (run(load(one('tabs'), tabs)), run(showList()));

async function showFilters(): Promise<void> {
  let typing: number | undefined;
  // A search costs ten units of 50 a second, so wait until somebody stops typing.
  const oninput = () => (clearTimeout(typing), (typing = setTimeout(refreshList, 300)));
  Object.assign(search, { type: 'search', placeholder: text('search'), ariaLabel: text('search'), oninput });
  Object.assign(place, { placeholder: text('place'), ariaLabel: text('place'), oninput });
  Object.assign(contract, { ariaLabel: fieldName('UpdateJobInput', 'contractId'), onchange: refreshList });
  contract.append(new Option(fieldName('UpdateJobInput', 'contractId'), ''));
  one('search').append(search, h('div.row', contract, place));
  const { references } = await call(client.ReferencesDocument, { kind: 'contract' });
  contract.append(...(references ?? []).map(({ publicId, name }) => new Option(name, publicId)));
}

const heading = (title: string, ...below: (Node | string)[]) => [
  h('a.back', { href: '#' }, text('back')),
  h('h1', title),
  h('p.soft', ...below),
];

function found<Value>(value: Value | null | undefined): Value {
  if (!value) throw new Error(text('none'));
  return value;
}

type Warnings = kit.Stored<object>['warnings'];

type Job = Parameters<typeof kit.jobInputOf>[0];
const storedJob = (job: Job, warnings?: Warnings) => ({
  input: kit.jobInputOf(job),
  version: job.version,
  warnings,
});

async function update(variables: client.UpdateJobMutationVariables) {
  const { job, warnings } = found((await call(client.UpdateJobDocument, variables)).updateJob);
  return { job, warnings };
}

async function showJob(publicId: string): Promise<Node[]> {
  let states: string[] = [];
  const stored = (job: Job, warnings?: Warnings) => {
    states = [job.state, ...job.nextStates];
    return storedJob(job, warnings);
  };
  const readForm = () => call(client.JobFormDocument, { publicId, withEmails: true });
  const form = await readForm();
  const job = found(form.job);
  const { input, version } = stored(job);
  const edit = kit.createEdit(input, version);
  return formOf({
    ...{ type: 'UpdateJobInput', edit, mayEdit: job.viewerCanUpdate },
    hidden: ['mediaPublicId', 'companyPublicId', 'jobPublicId', 'name'],
    heading: heading(
      job.name,
      h('a', { href: `#/companies/${job.company.publicId}` }, job.company.name),
      ' · ',
      h('a', { href: `#/new/${publicId}` }, text('duplicate')),
    ),
    isOffered: (name, choice) => name !== 'state' || states.includes(choice),
    references: form,
    update: async (variables) => {
      const { job: saved, warnings } = await update(variables);
      return stored(saved, warnings);
    },
    onSaved: refreshList,
    stored: {
      ids: { jobPublicId: publicId },
      read: async () => stored(found((await readForm()).job)),
      history: async () =>
        (await call(client.JobHistoryDocument, { publicId, first: 10 })).job?.history?.edges.map(
          ({ node }) => node,
        ),
    },
  });
}

/** A new job, or a copy of one. */
async function showNewJob(copied: string): Promise<Node[]> {
  const { companies, ...choices } = await call(client.NewJobFormDocument, { mediaPublicId: media });
  const readCopied = () => call(client.JobFormDocument, { publicId: copied, withEmails: true });
  const input = copied
    ? kit.jobCopyOf(found((await readCopied()).job))
    : kit.newJobInput(media, companies?.edges[0]?.node.publicId);
  const edit = kit.createEdit(input);
  return formOf({
    ...{ type: 'CreateJobInput', edit, mayEdit: true },
    heading: heading(text('newJob')),
    hidden: ['mediaPublicId'],
    references: { ...choices, companyPublicId: companies?.edges.map(({ node }) => node) },
    update: async (variables) => {
      if (!('idempotencyKey' in variables)) {
        const { job, warnings } = await update(variables);
        return storedJob(job, warnings);
      }
      const { job, warnings } = found((await call(client.CreateJobDocument, variables)).createJob);
      return storedJob(job, warnings);
    },
    onSaved: () => {
      refreshList();
      if (!edit.isDirty) location.hash = `/jobs/${edit.base.jobPublicId}`;
    },
  });
}

async function showCompany(publicId: string): Promise<Node[]> {
  const ids = { mediaPublicId: media, companyPublicId: publicId };
  const stored = (company: Parameters<typeof kit.companyInputOf>[0], warnings?: Warnings) => ({
    input: kit.companyInputOf(company),
    version: company.version,
    warnings,
  });
  const readForm = () => call(client.CompanyFormDocument, { mediaPublicId: media, publicId });
  const read = async () => stored(found((await readForm()).company));
  const form = await readForm();
  const company = found(form.company);
  const edit = kit.createEdit(kit.companyInputOf(company), company.version);

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

  return formOf(
    {
      ...{
        type: 'UpdateCompanyInput',
        edit,
        mayEdit: company.viewerCanUpdate,
        onSaved: refreshList,
      },
      heading: heading(company.name, text('company')),
      hidden: ['mediaPublicId', 'companyPublicId', 'logo', 'logoUrl'],
      references: form,
      update: async (variables) => {
        const { updateCompany } = await call(client.UpdateCompanyDocument, variables);
        const { company: saved, warnings } = found(updateCompany);
        return stored(saved, warnings);
      },
      stored: {
        ids,
        read,
        history: async () => {
          const page = { mediaPublicId: media, publicId, first: 10 };
          const { company: shown } = await call(client.CompanyHistoryDocument, page);
          return shown?.history?.edges.map(({ node }) => node);
        },
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
  const [, kind = '', id = ''] = /^#\/(jobs|companies|new)(?:\/(.+))?$/.exec(opened) ?? [];
  document.body.classList.toggle('opened', kind !== '');
  tell('');
  markOpen();
  const show = { jobs: showJob, companies: showCompany, new: showNewJob }[kind];
  one('main').replaceChildren();
  const nothing = async () => [h('p.soft', text('choose'))];
  run(load(one('main'), show ? () => show(decodeURIComponent(id)) : nothing));
}
window.onhashchange = route;
window.onbeforeunload = (event) => void (isDirty() && event.preventDefault());

document.documentElement.lang = language;
one('media').textContent = media;
run(showFilters());
one('search').onsubmit = (event) => event.preventDefault();
one('new').textContent = text('newJob');
const other = language === 'fr' ? 'en' : 'fr';
one('language').textContent = kit.labelOf('Language', other, other);
one('language').onclick = () =>
  void (location.search = new URLSearchParams({ gateway, media, language: other }).toString());
refreshList();
route();

import { type Company } from 'recruitment-gateway-client';
import { type Wait } from 'recruitment-gateway-client/apollo';
import { FrontEnd, type EditedJob, type Outcome } from '../front-end.js';
import { type Changes, changesIn, fill, fillChoices, inputOf, showFaults, shownIn } from './job-form.js';

let shownWait: Wait | null = null;
const frontEnd = new FrontEnd({
  url: new URLSearchParams(location.search).get('gateway') ?? '/graphql',
  signIn: async () => (await fetch('/token')).text(),
  onWait: (wait) => {
    tell(`${waits[wait.reason]} Attempt ${wait.attempt} follows in ${(wait.forMs / 1_000).toFixed(1)} s.`);
    shownWait = wait;
  },
  onWaitEnd: (wait) => {
    if (wait === shownWait) tell('');
  },
});
const waits = {
  quota: 'Many requests: waiting for the quota.',
  busy: 'The service is busy.',
  unreachable: 'The connection is lost.',
};

const jobForm = elementOf('job', HTMLFormElement);
const companyForm = elementOf('company', HTMLFormElement);
const searchForm = elementOf('search', HTMLFormElement);
/** The records that the forms were filled from: a save expects their versions. */
let opened: EditedJob;
let openedCompany: Company | null;

const moreJobs = elementOf('more', HTMLButtonElement);
const jobs = frontEnd.watchJobs('demo-media', {
  show: ({ edges, pageInfo, totalCount }) => {
    const items = edges.map(({ node: { publicId, name, salary, version, viewerCanUpdate } }) => {
      const button = document.createElement('button');
      button.textContent = name;
      button.onclick = () => void run(() => openJob(publicId, viewerCanUpdate));
      const item = document.createElement('li');
      item.append(button, `, ${salary ?? 'no salary'}, version ${version}`);
      return item;
    });
    elementOf('jobs', HTMLUListElement).replaceChildren(...items);
    elementOf('count', HTMLParagraphElement).textContent = `${edges.length} of ${totalCount ?? 'many'} jobs`;
    moreJobs.disabled = !pageInfo.hasNextPage;
  },
  fail: ({ message }) => tell(message),
});
moreJobs.onclick = () => void run(jobs.more);
elementOf('again', HTMLButtonElement).onclick = () =>
  void run(() => openJob(opened.publicId, opened.viewerCanUpdate));
onSubmit(searchForm, async () => jobs.search(textOf(searchForm, 'name')));
onSubmit(jobForm, saveJob);
onSubmit(companyForm, saveCompany);

function onSubmit(form: HTMLFormElement, submit: () => Promise<void>): void {
  form.onsubmit = (event) => {
    event.preventDefault();
    void run(submit);
  };
}

/** Shows a failure that is no refusal: the gateway cannot be reached. */
async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (failure) {
    tell(failure instanceof Error ? failure.message : String(failure));
  }
}

async function openJob(publicId: string, viewerCanUpdate: boolean): Promise<void> {
  const outcome = await frontEnd.readForm(publicId, viewerCanUpdate);
  if (outcome.kind !== 'saved') return tell(sentenceOf(outcome));
  fillChoices(jobForm, outcome.saved);
  show(outcome.saved.job);
  elementOf('title', HTMLHeadingElement).textContent = opened.name;
  elementOf('opened', HTMLElement).hidden = false;
  showCompany(await frontEnd.readCompany(opened.mediaPublicId, opened.company.publicId));
  await showHistory(false);
  tell('');
}

function show(job: EditedJob, kept: Changes = {}): void {
  opened = job;
  showFaults(jobForm);
  fill(jobForm, shownIn(job), kept);
  jobForm.inert = !job.viewerCanUpdate;
}

async function showHistory(isFresh: boolean): Promise<void> {
  const entries = await frontEnd.readHistory(opened.publicId, isFresh);
  const items = entries.map(({ node: { at, actor, changes } }) => {
    const item = document.createElement('li');
    const what = changes.map(
      ({ field, before, after }) => `${inWords(field)}: ${textIn(before)} → ${textIn(after)}`,
    );
    item.textContent = `${new Date(at).toLocaleString()}, ${actor}: ${what.join('; ')}`;
    return item;
  });
  elementOf('history', HTMLOListElement).replaceChildren(...items);
}

/** `description.jobDesc` becomes "description job desc". */
const inWords = (field: string) => field.replace(/\.|(?=[A-Z])/g, ' ').toLowerCase();

const textIn = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

async function saveJob(): Promise<void> {
  const outcome = await frontEnd.saveJob(inputOf(opened, jobForm), opened.version);
  showFaults(jobForm, outcome.kind === 'invalid' ? outcome.faults : {});
  if (outcome.kind === 'saved') {
    show(outcome.saved);
    await showHistory(true);
  }
  // A second save sends what the user has changed, at the current version. All other inputs show the current values.
  if (outcome.kind === 'changed' && outcome.current) {
    show(outcome.current, changesIn(jobForm));
    return tell(`${sentenceOf(outcome)} The salary is now ${opened.salary ?? 'empty'}.`);
  }
  tell(sentenceOf(outcome));
}

function showCompany(company: Company | null, kept: Changes = {}): void {
  openedCompany = company;
  fill(companyForm, { name: company?.name ?? '' }, kept);
  const logo = elementOf('shown', HTMLImageElement);
  logo.hidden = !company?.content.visual.logo;
  logo.src = company?.content.visual.logo ?? '';
}

async function saveCompany(): Promise<void> {
  const logo = new FormData(companyForm).get('logo');
  const ids = { mediaPublicId: opened.mediaPublicId, companyPublicId: opened.company.publicId };
  const outcome = await frontEnd.saveCompany(
    { ...changesIn(companyForm), ...(logo instanceof File && logo.size > 0 && { logo }), ...ids },
    openedCompany?.version,
  );
  showFaults(companyForm, outcome.kind === 'invalid' ? outcome.faults : {});
  if (outcome.kind === 'saved') showCompany(outcome.saved);
  if (outcome.kind === 'changed') showCompany(outcome.current, changesIn(companyForm));
  tell(sentenceOf(outcome));
}

function sentenceOf(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'saved':
      return 'Saved.';
    case 'invalid':
      return 'Please correct the marked fields.';
    case 'changed':
      return `${outcome.message} Changed: ${outcome.changedFields.map(inWords).join(', ')}.`;
    case 'refused':
      return outcome.message;
  }
}

function tell(sentence: string): void {
  shownWait = null;
  elementOf('status', HTMLParagraphElement).textContent = sentence;
}

function textOf(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name);
  return typeof text === 'string' ? text : '';
}

function elementOf<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`there is no ${id}`);
  return element;
}

import { type ReferenceKind } from 'recruitment-gateway-client';
import { type EditedJob, FrontEnd, type Outcome } from '../front-end.js';
import { inputOf, kinds, showFaults, shownIn } from './job-form.js';

const frontEnd = new FrontEnd({
  url: new URLSearchParams(location.search).get('gateway') ?? '/graphql',
  signIn: async () => (await fetch('/token')).text(),
});

const jobForm = elementOf('job', HTMLFormElement);
const companyForm = elementOf('company', HTMLFormElement);
let opened: EditedJob;

const moreJobs = elementOf('more', HTMLButtonElement);
const jobs = frontEnd.watchJobs('demo-media', (shown, hasMore) => {
  const items = shown.map(({ publicId, name, salary, version }) => {
    const button = document.createElement('button');
    button.textContent = name;
    button.onclick = () => void openJob(publicId);
    const item = document.createElement('li');
    item.append(button, `, ${salary ?? 'no salary'}, version ${version}`);
    return item;
  });
  elementOf('jobs', HTMLUListElement).replaceChildren(...items);
  moreJobs.disabled = !hasMore;
});
moreJobs.onclick = () => void jobs.more();
elementOf('again', HTMLButtonElement).onclick = () => void openJob(opened.publicId);
jobForm.onsubmit = (event) => {
  event.preventDefault();
  void saveJob();
};
companyForm.onsubmit = (event) => {
  event.preventDefault();
  void saveCompany();
};

async function openJob(publicId: string): Promise<void> {
  const job = await frontEnd.readEditedJob(publicId);
  if (!job) return tell('The job cannot be read.');
  await Promise.all(Object.entries(kinds).map(fillChoices));
  show(job);
  elementOf('title', HTMLHeadingElement).textContent = job.name;
  elementOf('opened', HTMLElement).hidden = false;
  tell('');
}

async function fillChoices([name, kind]: [string, ReferenceKind]): Promise<void> {
  const select = jobForm.elements.namedItem(name);
  const options = (await frontEnd.readReferences(kind)).map((each) => new Option(each.name, each.publicId));
  if (select instanceof HTMLSelectElement) select.replaceChildren(new Option('', ''), ...options);
}

function show(job: EditedJob): void {
  opened = job;
  showFaults(jobForm);
  for (const [name, value] of Object.entries(shownIn(job))) {
    const input = jobForm.elements.namedItem(name);
    if (input && 'value' in input) input.value = value;
  }
}

async function saveJob(): Promise<void> {
  const outcome = await frontEnd.saveJob(inputOf(opened, jobForm), opened.version);
  showFaults(jobForm, outcome.kind === 'invalid' ? outcome.faults : {});
  if (outcome.kind === 'saved') show(outcome.saved);
  // Keep the user's input: a second save overwrites the stored values.
  if (outcome.kind === 'changed' && outcome.current) opened = { ...opened, ...outcome.current };
  tell(sentenceOf(outcome));
}

async function saveCompany(): Promise<void> {
  const logo = new FormData(companyForm).get('logo');
  const name = new FormData(companyForm).get('name');
  const outcome = await frontEnd.saveCompany({
    mediaPublicId: opened.mediaPublicId,
    companyPublicId: opened.company.publicId,
    ...(logo instanceof File && logo.size > 0 && { logo }),
    ...(typeof name === 'string' && name !== '' && { name }),
  });
  showFaults(companyForm, outcome.kind === 'invalid' ? outcome.faults : {});
  if (outcome.kind === 'saved')
    elementOf('shown', HTMLImageElement).src = outcome.saved.content.visual.logo ?? '';
  tell(sentenceOf(outcome));
}

function sentenceOf(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'saved':
      return 'Saved.';
    case 'invalid':
      return 'Please correct the marked fields.';
    case 'changed':
      return `${outcome.message} Changed: ${outcome.changedFields.join(', ')}. It is now: ${outcome.current?.salary ?? ''}`;
    case 'refused':
      return outcome.message;
  }
}

function tell(sentence: string): void {
  elementOf('status', HTMLParagraphElement).textContent = sentence;
}

function elementOf<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`there is no ${id}`);
  return element;
}

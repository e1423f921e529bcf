import { FrontEnd, type Outcome } from '../front-end.js';

const media = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
const jobPublicId = 'acme-backend-engineer';

const frontEnd = new FrontEnd({
  url: new URLSearchParams(location.search).get('gateway') ?? '/graphql',
  signIn: async () => (await fetch('/token')).text(),
});

const jobForm = elementOf('job', HTMLFormElement);
const companyForm = elementOf('company', HTMLFormElement);
let version = 1;

await showJob();
jobForm.onsubmit = (event) => {
  event.preventDefault();
  void saveJob();
};
elementOf('again', HTMLButtonElement).onclick = () => void showJob();
const moreJobs = elementOf('more', HTMLButtonElement);
const jobs = frontEnd.watchJobs(media.mediaPublicId, (shown, hasMore) => {
  elementOf('jobs', HTMLUListElement).replaceChildren(
    ...shown.map(({ name, version: stored }) => {
      const item = document.createElement('li');
      item.textContent = `${name}, version ${stored}`;
      return item;
    }),
  );
  moreJobs.disabled = !hasMore;
});
moreJobs.onclick = () => void jobs.more();
companyForm.onsubmit = (event) => {
  event.preventDefault();
  void saveCompany();
};

async function showJob(): Promise<void> {
  const job = await frontEnd.readJob(jobPublicId);
  if (!job) return tell('The job cannot be read.');
  version = job.version;
  elementOf('title', HTMLHeadingElement).textContent = job.name;
  inputOf(jobForm, 'salary').value = job.salary ?? '';
}

async function saveJob(): Promise<void> {
  const salary = inputOf(jobForm, 'salary').value;
  const outcome = await frontEnd.saveJob({ ...media, jobPublicId, salary }, version);
  if (outcome.kind === 'saved') version = outcome.saved.version;
  if (outcome.kind === 'changed') version = outcome.current?.version ?? version;
  tell(sentenceOf(outcome));
}

async function saveCompany(): Promise<void> {
  const logo = inputOf(companyForm, 'logo').files?.item(0);
  const name = inputOf(companyForm, 'name').value;
  const outcome = await frontEnd.saveCompany({
    ...media,
    ...(logo && { logo }),
    ...(name !== '' && { name }),
  });
  if (outcome.kind === 'saved')
    elementOf('shown', HTMLImageElement).src = outcome.saved.content.visual.logo ?? '';
  tell(sentenceOf(outcome));
}

function sentenceOf(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'saved':
      return 'Saved.';
    case 'invalid':
      return Object.values(outcome.faults).join(' ');
    case 'changed':
      return `${outcome.message} It is now: ${outcome.current?.salary ?? ''}`;
    case 'refused':
      return outcome.message;
  }
}

function tell(sentence: string): void {
  elementOf('status', HTMLParagraphElement).textContent = sentence;
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) throw new Error(`there is no input ${name}`);
  return input;
}

function elementOf<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`there is no ${id}`);
  return element;
}

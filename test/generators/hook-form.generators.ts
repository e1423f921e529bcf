import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { smallPng } from '../company/logo/test-images.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ownFolder } from '../support/own-folder.js';
import { graphql } from '../support/requests.js';
import { serveSite, type Site } from '../support/site.js';
import { until } from '../support/until.js';
import { type FrontEndFolder, frontEndFolder } from './front-end-folder.js';

const main = `
import { CompanyFormDocument, type EditedCompany, type EditedJob, JobFormDocument, type Send } from 'recruitment-gateway-client';
import { sendWith } from 'recruitment-gateway-client/apollo';
import { newJobInput } from 'recruitment-gateway-client/forms';
import { useCompanyEdit, useJobEdit, useNewJobEdit } from 'recruitment-gateway-client/react';
import { hookValuesOf, useHookForm } from 'recruitment-gateway-client/react-hook-form';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useForm } from 'react-hook-form';
import { connect } from './connect';

function Company({ send, company }: { send: Send; company: EditedCompany }) {
  const form = useCompanyEdit(send, company);
  const hook = useForm({ defaultValues: hookValuesOf(form.edit) });
  return (
    <form onSubmit={useHookForm(form, hook)} noValidate>
      <label>Logo <input type="file" {...hook.register('logo')} /></label>
      <button>Save</button>
      <button type="button" onClick={form.edit.discard}>Discard</button>
      <p role="status">{form.isSaved ? 'Saved.' : form.failure?.message}</p>
    </form>
  );
}
function Job({ send, job }: { send: Send; job: EditedJob }) {
  const form = useJobEdit(send, job);
  const hook = useForm({ defaultValues: { ...hookValuesOf(form.edit), reason: '', isSure: true } });
  return (
    <form onSubmit={useHookForm(form, hook)} noValidate>
      <label>Reason <input {...hook.register('reason')} /></label>
      <label>Sure <input type="checkbox" {...hook.register('isSure')} /></label>
      <label>Salary <input {...hook.register('salary')} /></label>
      <label>From <input {...hook.register('salaryRange.minimum', { valueAsNumber: true })} /></label>
      <label>To <input {...hook.register('salaryRange.maximum')} /></label>
      <label>Currency <input {...hook.register('salaryRange.currency')} /></label>
      <label>Per <input {...hook.register('salaryRange.period')} /></label>
      <button>Save</button>
      <button type="button" onClick={() => hook.setValue('salary', '1 €')}>Set salary</button>
      <button type="button" onClick={() => hook.reset()}>Reset</button>
      <button
        type="button"
        onClick={() => hook.setValue('salaryRange', { minimum: '1', maximum: '2', currency: 'EUR', period: 'hour' })}
      >
        Set pay
      </button>
      <p role="status">{form.isSaved ? 'Saved.' : form.failure?.message}</p>
      <output>{form.edit.changed.join()}</output>
    </form>
  );
}
function NewJob({ send }: { send: Send }) {
  const form = useNewJobEdit(send, newJobInput('demo-media', 'acme'));
  const values = hookValuesOf(form.edit);
  const hook = useForm({ defaultValues: values });
  return (
    <form onSubmit={useHookForm(form, hook)} noValidate>
      <label>Name <input {...hook.register('name')} /></label>
      <label>Salary <input {...hook.register('salary')} /></label>
      <button>Save</button>
      <p role="status">{form.isSaved ? 'Saved.' : form.failure?.message}</p>
      <output>{values.salary.length + values.managerEmails.length + values.salaryRange.minimum.length}</output>
    </form>
  );
}
const given = new URLSearchParams(location.search);
const send = sendWith(connect(given.get('uri') ?? '', given.get('token') ?? ''));
const { company } = await send(CompanyFormDocument, { mediaPublicId: 'demo-media', publicId: 'acme' });
const { job } = await send(JobFormDocument, { publicId: 'acme-backend-engineer' });
const forms = {
  company: () => company && <Company send={send} company={company} />,
  job: () => job && <Job send={send} job={job} />,
  newJob: () => <NewJob send={send} />,
};
createRoot(document.body).render(<StrictMode>{forms[given.get('form') as keyof typeof forms]()}</StrictMode>);
`;

describeInBrowser('a form of react-hook-form that is tied to an edit', () => {
  let folder: FrontEndFolder;
  let site: Site;
  let gateway: TestGateway;
  let page: Page;
  const browser = ownBrowser();
  const path = ownFolder();

  beforeAll(async () => {
    folder = await frontEndFolder(path);
    await writeFile(join(folder.path, 'main.tsx'), main);
    const script = await folder.bundle('main.tsx');
    const html = '<!doctype html><body></body><script type="module" src="/page.js"></script>';
    site = await serveSite({ script, html });
    gateway = await startTestGateway({ CORS_ORIGINS: site.origin, ARCHIVER: 'off' });
  });
  afterAll(async () => {
    site.stop();
    await gateway.stop();
  });
  beforeEach(() => gateway.reset());

  async function open(form: 'company' | 'job' | 'newJob'): Promise<void> {
    page = await (await browser().newContext()).newPage();
    const query = new URLSearchParams({ form, uri: `${gateway.url}/graphql`, token: await gateway.token() });
    await page.goto(`${site.origin}/?${query.toString()}`);
    await page.locator('form').waitFor();
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const saved = () => page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  const valueOf = (label: string) => page.getByLabel(label).inputValue();
  const stored = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
  async function saveElsewhere(fields: object): Promise<void> {
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = { jobPublicId: 'acme-backend-engineer', ...fields };
    const { body } = await graphql(
      gateway,
      mutation,
      { input },
      { token: await gateway.token({ sub: 'b' }) },
    );
    expect(body.errors).toBeUndefined();
  }

  it('compiles', () => {
    expect(folder.faultsOf(['main.tsx', 'hook-form.tsx'])).toEqual([]);
  });

  it('sends the logo that its user chose, and empties the input when it is discarded or saved (Contract 5.3.5)', async () => {
    await open('company');
    const files = () => page.evaluate("document.querySelector('[type=file]').files.length");
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: smallPng };
    await page.getByLabel('Logo').setInputFiles(file);
    expect(await files()).toBe(1);
    await press('Discard');
    expect(await files()).toBe(0);
    await page.getByLabel('Logo').setInputFiles(file);
    await press('Save');
    await saved();
    expect(await files()).toBe(0);
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company).toMatchObject({ logo: { kind: 'file' }, version: 2 });
  });

  it('sends what the application set, and drops it at a reset', async () => {
    await open('job');
    await press('Set salary');
    await press('Set pay');
    await page.getByText('salary,salaryRange').waitFor();
    await press('Reset');
    await page.getByText('salary,salaryRange').waitFor({ state: 'detached' });
    await press('Set salary');
    await press('Set pay');
    await press('Save');
    await saved();
    const salaryRange = { minimum: '1', maximum: '2', currency: 'EUR', period: 'hour' };
    expect(await stored()).toMatchObject({ salary: '1 €', salaryRange, version: 2 });
  });

  it('keeps the fields that no edit sends', async () => {
    await open('job');
    await page.getByLabel('Reason').fill('Because');
    await page.getByLabel('Salary').fill('2 €');
    await press('Save');
    await saved();
    expect([await valueOf('Reason'), await page.getByLabel('Sure').isChecked()]).toEqual(['Because', true]);
    expect(await stored()).toMatchObject({ salary: '2 €', version: 2 });
  });

  it('empties and fills all inputs of the pay, also after a colleague changes it', async () => {
    await open('job');
    await page.getByLabel('From').fill('12.5');
    await press('Save');
    await saved();
    expect((await stored())?.salaryRange).toMatchObject({ minimum: '12.5', currency: 'EUR' });
    await saveElsewhere({ salaryRange: null });
    await page.getByLabel('Salary').fill('2 €');
    await press('Save');
    await until(async () => (await stored())?.salary === '2 €');
    await saved();
    const values = () => Promise.all(['From', 'To', 'Currency', 'Per'].map(valueOf));
    expect(await values()).toEqual(['', '', '', '']);
    await page.getByLabel('To').fill('3');
    await page.getByLabel('Currency').fill('EUR');
    await page.getByLabel('Per').fill('day');
    await press('Save');
    await until(async () => (await stored())?.salaryRange?.currency === 'EUR');
    await saved();
    for (const label of ['To', 'Currency', 'Per']) await page.getByLabel(label).fill('');
    await press('Save');
    await until(async () => (await stored())?.salaryRange === null);
    await saved();
    await saveElsewhere({ salaryRange: { minimum: '7', currency: 'USD', period: 'year' } });
    await page.getByLabel('Salary').fill('4 €');
    await press('Save');
    await until(async () => (await stored())?.salary === '4 €');
    await saved();
    expect(await values()).toEqual(['7', '', 'USD', 'year']);
  });

  it('takes amounts as people write them, leaves them as they were typed, and never sends another amount', async () => {
    await open('job');
    for (const [typed, maximum] of Object.entries({
      '70 000': '70000',
      '70 000,5': '70000.5',
      '70000,25 ': '70000.25',
    })) {
      await page.getByLabel('To').fill('');
      await page.getByLabel('To').fill(typed);
      expect(await valueOf('To')).toBe(typed);
      await press('Save');
      await until(async () => (await stored())?.salaryRange?.maximum === maximum);
      await saved();
    }
    const before = await stored();
    for (const typed of ['70,000', '70.000', '7 00']) {
      await page.getByLabel('To').fill(typed);
      await press('Save');
      await page.getByRole('status').filter({ hasText: 'One or more fields are not valid.' }).waitFor();
      expect([await valueOf('To'), await stored()]).toEqual([typed, before]);
    }
  });

  it('has a text for each field of a new job, and creates it', async () => {
    await open('newJob');
    expect(await page.locator('output').textContent()).toBe('0');
    await page.getByLabel('Name').fill('Tester');
    await page.getByLabel('Salary').fill('1 €');
    await press('Save');
    await saved();
    expect(await gateway.models.jobs.findOne({ name: 'Tester' }).lean()).toMatchObject({ salary: '1 €' });
  });
});

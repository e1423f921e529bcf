import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { type Page } from 'playwright-core';
import { smallPng } from '../company/logo/test-images.js';
import { describeInBrowser, narrow, overflows, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { type Site, startExampleSite } from '../support/site.js';

describeInBrowser('the example of the client package, two people', () => {
  let gateway: TestGateway;
  let site: Site;
  let faults: string[];
  const browser = ownBrowser();

  beforeAll(async () => {
    site = await startExampleSite();
    gateway = await startTestGateway({
      CORS_ORIGINS: site.origin,
      ARCHIVER: 'off',
      UPDATE_JOB_QUOTA: '50/1s',
      READ_QUOTA: '1000/1s',
    });
  });
  afterAll(async () => {
    site.stop();
    await gateway.stop();
  });
  beforeEach(async () => {
    await gateway.reset();
    site.tokens = [await gateway.token()];
    faults = [];
  });
  afterEach(() => expect(faults).toEqual([]));

  async function open(hash: string, { language = 'en', ...options } = {}): Promise<Page> {
    const page = await (await browser().newContext(options)).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    const query = new URLSearchParams({ gateway: gateway.url, language });
    await page.goto(`${site.origin}/?${query.toString()}${hash}`);
    return page;
  }
  const openJob = async (): Promise<Page> => {
    const page = await open('#/jobs/acme-backend-engineer');
    await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
    return page;
  };
  const fill = (page: Page, label: string, value: string) =>
    page.getByLabel(label, { exact: true }).fill(value);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const openHistory = (page: Page) => press(page, 'History');
  const states = (page: Page) => page.locator('[name=state] option:not([hidden])').allTextContents();
  const stored = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();

  it('merge what only one of them changed, and lose nothing (Contract 6.1.2)', async () => {
    const [mine, theirs] = [await openJob(), await openJob()];
    await fill(theirs, 'Salary, as shown', '50 000 €');
    await fill(theirs, 'Benefits', 'Lunch');
    await press(theirs, 'Save');
    await told(theirs, 'Saved.');
    await fill(mine, 'Managers', 'paul@acme.example');
    await fill(mine, 'From', '40000');
    await press(mine, 'Save');
    await told(mine, 'Saved together with a colleague’s changes.');
    expect(await mine.getByLabel('Salary, as shown').inputValue()).toBe('50 000 €');
    expect(await stored()).toMatchObject({
      salary: '50 000 €',
      description: { benefitDesc: '<ul><li>Lunch</li></ul>' },
      managerEmails: ['claire.martin@acme.example', 'paul@acme.example'],
      salaryRange: { minimum: '40000' },
      version: 3,
    });
  });

  it('are asked about a field that both changed, and about no other (Contract 6.1.2)', async () => {
    const [mine, theirs] = [await openJob(), await openJob()];
    await fill(theirs, 'Salary, as shown', '50 000 €');
    await fill(theirs, 'Place', 'Paris');
    await press(theirs, 'Save');
    await told(theirs, 'Saved.');
    await fill(mine, 'Salary, as shown', '60 000 €');
    await fill(mine, 'Hiring process', 'A call');
    await press(mine, 'Save');
    await told(mine, 'A colleague has changed the same fields');
    const panel = mine.locator('.conflict');
    expect(await panel.getByRole('button').allInnerTexts()).toEqual([
      'Mine\n48 000 € – 58 60 000 €',
      'Theirs\n48 000 € – 58 50 000 €',
    ]);
    expect(await panel.locator('ins').allInnerTexts()).toEqual(['60 ', '50 ']);
    expect(await panel.getByText('Before: 48 000 € – 58 000 €').count()).toBe(1);
    expect(await mine.getByLabel('Place').inputValue()).toBe('Paris');
    expect(await stored()).toMatchObject({ salary: '50 000 €', version: 2 });
    await panel.getByRole('button', { name: 'Mine' }).click();
    await press(mine, 'Save');
    await told(mine, 'Saved.');
    expect(await panel.isVisible()).toBe(false);
    expect(await stored()).toMatchObject({
      salary: '60 000 €',
      localisation: 'Paris',
      description: { processDesc: '<ol><li>A call</li></ol>' },
      version: 3,
    });
  });

  it('save twice in a row without a conflict with themselves (Contract 6.1.2)', async () => {
    const page = await openJob();
    for (const salary of ['50 000 €', '51 000 €']) {
      await fill(page, 'Salary, as shown', salary);
      await press(page, 'Save');
    }
    await openHistory(page);
    await page.locator('#history li').nth(1).waitFor();
    expect(await page.locator('.conflict').isVisible()).toBe(false);
    expect(await stored()).toMatchObject({ salary: '51 000 €', version: 3 });
  });

  it('undo a change from the history, and keep what the form has not saved yet (Contract 6.1.4)', async () => {
    const page = await openJob();
    await fill(page, 'Salary, as shown', '50 000 €');
    await page.locator('main').getByLabel('Contract').selectOption('');
    await press(page, 'Save');
    await told(page, 'Saved.');
    await fill(page, 'Place', 'Paris');
    await openHistory(page);
    await page.locator('#history').getByText('Permanent contract').waitFor();
    await page.locator('#history').getByRole('button', { name: 'Undo' }).first().click();
    await page.locator('#history li').nth(1).waitFor();
    expect(await page.locator('main').getByLabel('Contract').inputValue()).toBe('permanent');
    expect(await page.getByLabel('Place').inputValue()).toBe('Paris');
    expect(await stored()).toMatchObject({ salary: '48 000 € – 58 000 €', version: 3 });
    await page.keyboard.press('Escape');
    await press(page, 'Save');
    await told(page, 'Saved.');
    await openHistory(page);
    await page.locator('#history li').nth(2).waitFor();
    expect(await stored()).toMatchObject({ localisation: 'Paris', version: 4 });
  });

  it('see faults at their inputs, in French', async () => {
    const page = await open('#/jobs/acme-backend-engineer', { language: 'fr' });
    await fill(page, 'Salaire affiché', 'x'.repeat(31));
    await press(page, 'Enregistrer');
    await told(page, 'Corrigez les champs signalés.');
    expect(
      await page.locator('.field', { hasText: 'Salaire affiché' }).getByRole('alert').textContent(),
    ).toBe('Saisissez au plus 30 caractères.');
    expect(await page.locator('.field', { hasText: 'Salaire affiché' }).textContent()).toContain('31 / 30');
    expect(await states(page)).toEqual(['Publiée', 'Archivée']);
  });

  it('make one job with a double click, and a copy of it that is a draft (Contract 5.5.3, 6.2.1)', async () => {
    const page = await open('#');
    await page.getByRole('link', { name: 'New job' }).click();
    await press(page, 'Create');
    const nameFault = page.locator('.field', { hasText: 'Title' }).getByRole('alert');
    await nameFault.filter({ hasText: /./ }).waitFor();
    const companies = await page.locator('[name=companyPublicId] option').allTextContents();
    expect([companies.includes('Acme'), companies.includes('Globex')]).toEqual([true, false]);
    await page.locator('[name=companyPublicId]').selectOption('acme');
    await fill(page, 'Title', 'Tester');
    await fill(page, 'Public id', 'tester');
    await fill(page, 'Salary, as shown', '1 €');
    await fill(page, 'Managers', 'paul@acme.example');
    expect(await states(page)).toEqual(['', 'Draft', 'Published']);
    await page.locator('[name=state]').selectOption('published');
    await page.getByRole('button', { name: 'Create', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'Tester' }).waitFor();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await press(page, 'Create');
    await page.getByRole('link', { name: 'Duplicate' }).waitFor();
    expect(await states(page)).toEqual(['Draft', 'Published', 'Archived']);
    const made = await gateway.models.jobs.find({ name: 'Tester' }).sort({ _id: 1 }).lean();
    const same = { company: 'acme', salary: '1 €', managerEmails: ['paul@acme.example'] };
    expect(made).toMatchObject([
      { ...same, publicId: 'tester', state: 'published' },
      { ...same, publicId: expect.stringMatching(/^tester-/), state: 'draft' },
    ]);
  });

  it('make one job where the first answer is lost, whatever they type meanwhile (Contract 6.2.1)', async () => {
    const page = await open('#/new');
    await page.locator('[name=companyPublicId]').selectOption('acme');
    await fill(page, 'Title', 'Lost');
    let isLost = false;
    await page.route('**/graphql', async (route) => {
      const isCreation = route.request().postData()?.includes('mutation CreateJob') === true;
      if (!isCreation || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await press(page, 'Create');
    await told(page, 'Failed to fetch');
    await fill(page, 'Salary, as shown', '2 €');
    await press(page, 'Create');
    await told(page, 'Saved.');
    await press(page, 'Create');
    await page.getByRole('heading', { name: 'Lost' }).waitFor();
    const made = await gateway.models.jobs.find({ name: 'Lost' }).lean();
    expect(made).toMatchObject([{ salary: '2 €', version: 2 }]);
  });

  it('see at its input what was stored otherwise than it was sent, until they change it', async () => {
    const page = await openJob();
    await fill(page, 'Place', 'Nowhere at all');
    await page.locator('.field', { hasText: 'Benefits' }).getByRole('textbox').focus();
    await page.evaluate(
      `document.execCommand('insertHTML', false, '<p>Lunch</p><img alt="Menu" src="data:,">')`,
    );
    await press(page, 'Save');
    await told(page, 'Saved. Please look at the marked fields.');
    const messageAt = (label: string) =>
      page.locator('.field', { hasText: label }).getByRole('status').textContent();
    expect(await messageAt('Place')).toContain('The place was not recognised');
    expect(await messageAt('Benefits')).toContain('Some of the HTML');
    await fill(page, 'Place', 'Paris');
    expect(await messageAt('Place')).toBe('');
  });

  it('drop a logo, see its progress, and keep what the form has not saved yet (Contract 5.3.5)', async () => {
    const page = await open('#/companies/acme');
    await fill(page, 'Name', 'Acme Lyon');
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${smallPng.toString('base64')}'), (each) => each.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'logo.png', { type: 'image/png' }));
      window.seen = [];
      const progress = document.querySelector('progress');
      new MutationObserver(() => window.seen.push(progress.value)).observe(progress, { attributes: true });
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await told(page, 'Saved.');
    await page.waitForFunction("document.querySelector('.drop img').naturalWidth === 8");
    expect(await page.evaluate('window.seen.includes(1)')).toBe(true);
    await press(page, 'Save');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    await openHistory(page);
    await page.locator('#history').getByText('Acme Lyon').waitFor();
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company).toMatchObject({ name: 'Acme Lyon', logo: { kind: 'file' }, version: 3 });
  });

  it('shows at the input why a file cannot be a logo', async () => {
    const page = await open('#/companies/acme');
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('text') };
    await page.locator('.drop input').setInputFiles(file);
    const fault = page.getByRole('alert').filter({ hasText: 'This file is not an image.' });
    await fault.waitFor();
  });

  it('are told why nobody can change a job', async () => {
    const memberships = [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }];
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: { memberships } });
    const page = await openJob();
    await page.getByText('The company is not currently published in this media.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  it('filters by contract and place, and the tabs count what is listed', async () => {
    const page = await open('#');
    const listed = () => page.locator('#list a').count();
    await page.getByRole('tab', { name: /^All \d+$/ }).waitFor();
    const all = await listed();
    await page.locator('#search').getByLabel('Contract').selectOption({ label: 'Permanent contract' });
    await page.getByLabel('Region, department, FRA').fill('ile de france');
    await page.waitForFunction(
      `!(document.querySelectorAll('#list a').length === ${all}) &&
        document.querySelector('[role=tab]').textContent === 'All ' + document.querySelectorAll('#list a').length`,
    );
    expect(await listed()).toBeGreaterThan(0);
    await page.getByLabel('Region, department, FRA').fill('nowhere');
    await page.getByRole('tab', { name: 'All 0' }).waitFor();
    await page.getByText('No job matches.').waitFor();
  });

  it('write addresses as chips, and texts in an editor', async () => {
    const page = await openJob();
    const managers = page.locator('.field', { hasText: 'Managers' });
    await managers.getByRole('textbox').fill('paul@acme.example, ann@acme.example');
    await managers.getByRole('textbox').press('Enter');
    await managers.getByRole('button', { name: 'Remove paul@acme.example' }).click();
    const benefits = page.locator('.field', { hasText: 'Benefits' });
    await benefits.getByRole('textbox').fill('Lunch');
    await benefits.getByRole('textbox').press('Control+a');
    await benefits.getByRole('button', { name: 'Bold' }).click();
    await press(page, 'Save');
    await told(page, 'Saved.');
    const { managerEmails, description } = (await stored())!;
    expect(managerEmails).toEqual(expect.arrayContaining(['ann@acme.example']));
    expect(managerEmails).not.toContain('paul@acme.example');
    expect(description.benefitDesc).toBe('<ul><li><b>Lunch</b></li></ul>');
  });

  it('see in its place what could not be read, and read it again', async () => {
    const page = await openJob();
    let isDown = true;
    await page.route('**/graphql', (route) => (isDown ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'Office Manager' }).click();
    await page.getByRole('tab', { name: /^Draft/ }).click();
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.nth(2).waitFor();
    isDown = false;
    for (let left = 3; left > 0; left -= 1) await retry.first().click();
    await page.getByRole('heading', { name: 'Office Manager' }).waitFor();
    await page.getByRole('tab', { name: /^Draft \d+$/ }).waitFor();
    expect(await retry.count()).toBe(0);
  });

  it('see list, form and history side by side on a wide screen', async () => {
    const page = await open('#/jobs/acme-backend-engineer', {
      viewport: { width: 1440, height: 900 },
    } as object);
    await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
    const left = (selector: string) =>
      page
        .locator(selector)
        .boundingBox()
        .then((box) => box!.x);
    const columns = [await left('#list'), await left('main form'), await left('#history')];
    expect(columns).toEqual([...columns].sort((one, other) => one - other));
    expect(await overflows(page)).toBe(false);
  });

  it.each(['light', 'dark'] as const)(
    'fits a phone, %s, from the tabs to a job and back, without an axe fault',
    async (colorScheme) => {
      const page = await open('#', { viewport: narrow, colorScheme } as object);
      await page.getByRole('tab', { name: /^Published \d+$/ }).click();
      await page.getByPlaceholder('Search jobs').fill('engineer backend');
      await page.waitForFunction("document.querySelectorAll('#list a').length === 1");
      expect(await overflows(page)).toBe(false);
      await page.getByRole('link', { name: 'Backend Engineer' }).click();
      await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
      expect(await overflows(page)).toBe(false);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await page.getByRole('link', { name: '← All jobs' }).click();
      await page.getByRole('link', { name: 'Backend Engineer' }).waitFor();
    },
  );
});

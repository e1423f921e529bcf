import { expect, it } from '@jest/globals';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { ownGateway } from '../support/own-gateway.js';

describeInBrowser('the posting of a job in a page', () => {
  const gateway = ownGateway({ ARCHIVER: 'off' });
  const browser = ownBrowser();

  it('can be put into a script element as REST returns it, even with HTML in its texts (Contract 4.5.4)', async () => {
    const publicId = 'acme-backend-engineer';
    const title = '</script><img src="x"><!--<script>';
    await gateway.models.jobs.collection.updateOne({ publicId }, { $set: { name: title } });
    const headers = { accept: 'application/ld+json', authorization: `Bearer ${await gateway.token()}` };
    const posting = await (await fetch(`${gateway.url}/jobs/${publicId}`, { headers })).text();
    const page = await browser().newPage();
    await page.setContent(`<script type="application/ld+json">${posting}</script><h1>After it</h1>`);
    const read = await page.locator('script').textContent();
    expect(JSON.parse(read ?? '')).toMatchObject({ '@type': 'JobPosting', title });
    expect(await page.locator('h1').textContent()).toBe('After it');
    expect(await page.locator('img').count()).toBe(0);
  });
});

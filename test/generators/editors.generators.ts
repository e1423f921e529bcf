import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { allowedTags } from '../../schema/client/src/forms.js';
import { cleanHtml } from '../../src/text/html.rules.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ownFolder } from '../support/own-folder.js';
import { graphql } from '../support/requests.js';
import { serveSite, type Site } from '../support/site.js';
import { frontEndFolder } from './front-end-folder.js';

const main = `
import { createEdit } from 'recruitment-gateway-client/forms';
import { JobFormDocument } from 'recruitment-gateway-client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'quill/dist/quill.snow.css';
import { JobForm } from './hook-form';
import * as quill from './quill';
import { connect } from './request';
import * as tiptap from './tiptap';

const touch = {
  tiptap: (editor) => (editor.commands.insertContentAt(1, 'x'), editor.commands.undo()),
  quill: ({ quill: editor }) => (editor.insertText(0, 'x', 'user'), editor.deleteText(0, 1, 'user')),
};
/** Opens the text, types a letter, takes it back, and returns the text that the form sends. */
window.touched = (name, html) => {
  const edit = createEdit({ jobPublicId: 'one', descriptionJob: html }, 1);
  const element = document.body.appendChild(document.createElement('div'));
  touch[name]({ tiptap, quill }[name].openEditor(element, edit, 'descriptionJob'));
  return edit.get('descriptionJob') ?? '';
};
/** Pastes HTML, and returns the text that the form sends. */
window.pasted = (name, html) => {
  const edit = createEdit({ jobPublicId: 'one', descriptionJob: null }, 1);
  const element = document.body.appendChild(document.createElement('div'));
  ({ tiptap, quill })[name].openEditor(element, edit, 'descriptionJob');
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', html);
  clipboardData.setData('text/plain', element.innerText);
  const editable = element.querySelector('[contenteditable]');
  editable.focus();
  editable.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  return new Promise((resolve) => setTimeout(() => resolve(edit.get('descriptionJob')), 50));
};
/** Merges a colleague's text, and returns the text that the editor shows. */
window.merged = (name, html) => {
  const edit = createEdit({ jobPublicId: 'one', descriptionJob: '<p>Mine</p>' }, 1);
  const element = document.body.appendChild(document.createElement('div'));
  const opened = ({ tiptap, quill })[name].openEditor(element, edit, 'descriptionJob');
  caret[name](opened, 2);
  edit.merge({ jobPublicId: 'one', descriptionJob: html }, 2);
  return [element.innerText.trim(), edit.isDirty, caret[name](opened)];
};
/** Whether somebody who only clicks into a text has changed it. */
window.clicked = (name, html) => {
  const edit = createEdit({ jobPublicId: 'one', descriptionJob: html }, 1);
  const element = document.body.appendChild(document.createElement('div'));
  caret[name](({ tiptap, quill })[name].openEditor(element, edit, 'descriptionJob'), 2);
  return edit.isDirty;
};
/** Sets the place of the caret, or returns it. */
const caret = {
  tiptap: (editor, at) => (at ? editor.chain().focus().setTextSelection(at).run() : editor.state.selection.from),
  quill: ({ quill: editor }, at) => (at ? (editor.focus(), editor.setSelection(at)) : editor.getSelection().index),
};
const given = new URLSearchParams(location.search);
if (given.has('uri')) {
  const send = connect(given.get('uri'), async () => given.get('token'));
  const { job } = await send(JobFormDocument, { publicId: 'acme-backend-engineer' });
  createRoot(document.body).render(<StrictMode><JobForm send={send} job={job} /></StrictMode>);
}
`;

/** As a job's text is stored. */
const store = (html: string): string => cleanHtml(html, { wrapPlainText: true, maximum: 20_000 }).html;

const texts = {
  'plain paragraphs': 'One line.\nAnother line.\n\nAnother paragraph.',
  marks: '<p><strong>Strong</strong>, <em>em</em>, <u>under</u> and <b>bold <i>italic</i></b></p>',
  'a line break': '<p>One<br>two</p>',
  'empty paragraphs': '<p>One</p><p></p><p>Two</p><p></p>',
  headings: '<h2>Your tasks</h2><p>Text</p><h3>Your profile</h3><h4>Detail</h4>',
  bullets: '<ul><li>One</li><li><strong>Two</strong></li></ul>',
  numbers: '<ol><li>One</li><li>Two</li></ol><p>After</p>',
  'a list in a list': '<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>',
  'bullets of Quill': '<ol><li data-list="bullet">One</li><li data-list="ordered">Two</li></ol>',
  links:
    '<p><a href="https://acme.example/?a=1&amp;b=2">Acme</a>, <a href="mailto:jo@acme.example">Jo</a></p>',
  spaces: '<p>A&nbsp;B  C 10\u202f000 €</p>',
  references: '<p>1 &lt; 2 &amp; 3 &gt; 2, “quoted” &quot;x&quot;</p>',
};

describeInBrowser('a recipe that needs packages of its own', () => {
  let site: Site;
  let page: Page;
  const browser = ownBrowser();
  const path = ownFolder();

  beforeAll(async () => {
    const { bundle } = await frontEndFolder(path);
    await writeFile(join(path, 'main.tsx'), main);
    const script = await bundle('main.tsx');
    const html = '<!doctype html><body></body><script type="module" src="/page.js"></script>';
    site = await serveSite({ script, html });
  });
  afterAll(() => site.stop());
  beforeEach(async () => {
    page = await (await browser().newContext()).newPage();
    await page.goto(site.origin);
    await page.waitForFunction('window.merged');
  });

  describe.each(['tiptap', 'quill'])('%s', (editor) => {
    const touch = (html: string) =>
      page.evaluate<string>(`touched(${JSON.stringify(editor)}, ${JSON.stringify(html)})`);
    const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').match(/\p{L}+/gu);
    const spacesOf = (html: string) => html.replaceAll('&nbsp;', '\u00a0').match(/[\u00a0\u202f]/g);

    it.each(Object.entries(texts))(
      'stores a text the second time as the first, and keeps its words and no-break spaces: %s (Contract 5.6.1)',
      async (_name, text) => {
        const first = store(await touch(store(text)));
        expect(wordsOf(first)).toEqual(wordsOf(store(text)));
        expect(spacesOf(first)).toEqual(spacesOf(store(text)));
        expect(store(await touch(first))).toBe(first);
      },
    );

    it('offers only the tags of allowedTags', async () => {
      const edited = await touch('<h2>A</h2><blockquote>B</blockquote><p><s>c</s> <code>d</code></p><hr>');
      const tags = [...edited.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
      expect(tags.filter((tag) => !allowedTags.some((allowed) => allowed === tag))).toEqual([]);
    });

    it('keeps only the links that the gateway keeps when somebody pastes them', async () => {
      const links = [
        'https://a.example/',
        'mailto:jo@a.example',
        'ftp://a.example/',
        'tel:+331',
        '/jobs',
        'javascript:1',
      ];
      const html = links.map((href) => `<a href="${href}">x</a>`).join(', ');
      const text = await page.evaluate<string>(
        `pasted(${JSON.stringify(editor)}, ${JSON.stringify(`<p>${html}</p>`)})`,
      );
      expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(links.slice(0, 2));
      expect([text.replace(/<[^>]*>/g, '').match(/x/g)?.length, text.match(/<a /g)?.length]).toEqual([6, 2]);
      expect(cleanHtml(text, { wrapPlainText: true, maximum: 20_000 }).isChanged).toBe(false);
    });

    it('shows what a merge took from a colleague, and leaves the caret where it was', async () => {
      expect(await page.evaluate(`merged('${editor}', '<p>Theirs</p>')`)).toEqual(['Theirs', false, 2]);
    });

    it('changes no text that somebody only clicks into', async () => {
      expect(await page.evaluate(`clicked('${editor}', '<p>A</p><ul><li>B</li></ul>')`)).toBe(false);
    });
  });

  it('react-hook-form shows faults at their inputs, merges what a colleague saved, and saves (Contract 6.1.2)', async () => {
    const gateway: TestGateway = await startTestGateway({ CORS_ORIGINS: site.origin, ARCHIVER: 'off' });
    try {
      await gateway.reset();
      const query = new URLSearchParams({ uri: `${gateway.url}/graphql`, token: await gateway.token() });
      await page.goto(`${site.origin}/?${query.toString()}`);
      const faultAt = (label: string) => page.locator('label', { hasText: label }).getByRole('alert');
      await page.getByLabel('Salary').fill('x'.repeat(31));
      await page.getByLabel('From').fill('much');
      await page.getByRole('button', { name: 'Save' }).click();
      await faultAt('Salary').filter({ hasText: 'Enter at most 30 characters.' }).waitFor();
      await faultAt('From').filter({ hasText: /./ }).waitFor();
      const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
      const input = { jobPublicId: 'acme-backend-engineer', localisation: 'Paris' };
      await graphql(gateway, mutation, { input }, { token: await gateway.token({ sub: 'colleague' }) });
      await page.getByLabel('Salary').fill('55 000 €');
      await page.getByLabel('From').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
      expect(await page.getByLabel('Place').inputValue()).toBe('Paris');
      const stored = await gateway.models.jobs.findOne({ publicId: input.jobPublicId }).lean();
      expect(stored).toMatchObject({ salary: '55 000 €', localisation: 'Paris', version: 3 });
    } finally {
      await gateway.stop();
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { createElement, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { type EditedJob, type Send } from '../../schema/client/src/index.js';
import { newJobInput } from '../../schema/client/src/forms.js';
import { useJobEdit, useNewJobEdit } from '../../schema/client/src/react.js';

const send: Send = () => Promise.reject(new Error('A server sends nothing.'));

describe('a form of /react, rendered on a server', () => {
  it('shows the values of a job, with the attributes and the message of each input', () => {
    const job = {
      ...{ publicId: 'tester', version: 1, description: {}, managerEmails: ['a@b.fr', 'c@d.fr'] },
      ...{ salary: '1 €', expiresAt: '2030-01-31T12:00:00.000Z' },
      salaryRange: { minimum: '10', maximum: null, currency: 'EUR', period: 'day' },
    } as unknown as EditedJob;
    function Form() {
      const { field, message } = useJobEdit(send, job);
      const names = ['salary', 'salaryRange.minimum', 'expiresAt', 'managerEmails', 'contractId'] as const;
      return names.map((name) => [
        createElement('input', { key: name, ...field(name), id: undefined, 'aria-describedby': undefined }),
        createElement('em', { key: `${name}-message`, ...message(name), id: undefined }),
      ]);
    }
    expect(renderToString(createElement(StrictMode, null, createElement(Form)))).toBe(
      [
        '<input type="text" name="salary" value="1 €"/>',
        '<input type="number" inputMode="decimal" step="0.01" min="0" max="99999999" name="salaryRange.minimum" value="10"/>',
        '<input type="date" name="expiresAt" value="2030-01-31"/>',
        '<input type="text" inputMode="email" name="managerEmails" value="a@b.fr; c@d.fr"/>',
        '<input name="contractId" value=""/>',
      ]
        .map((input) => `${input}<em hidden=""></em>`)
        .join(''),
    );
  });

  it('shows a new job, whose message belongs to its input', () => {
    function Form() {
      const { field, message } = useNewJobEdit(send, newJobInput('demo-media', 'acme'));
      return [
        createElement('input', { key: 'input', ...field('name') }),
        createElement('em', { key: 'message', ...message('name') }),
      ];
    }
    const html = renderToString(createElement(Form));
    const [, described, id] = /aria-describedby="([^"]+)".*<em id="([^"]+)"/.exec(html) ?? [];
    expect(html).toContain('required=""');
    expect([described, described !== '']).toEqual([id, true]);
  });
});

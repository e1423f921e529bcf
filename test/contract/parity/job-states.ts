import { jobStates } from '../../../src/job/job-choices.rules.js';
import { jobCase, type ParityCase } from './parity-case.js';
import { withEnd } from '../../support/reset-records.js';

const dayMs = 86_400_000;

/** The allowed transitions. Not imported: the code would verify itself. */
const moves = ['draft→published', 'draft→archived', 'published→archived', 'archived→published'];

/** @param now the time on the gateway's clock */
export function jobStateCases(now: Date): readonly ParityCase[] {
  const before = new Date(now.getTime() - 10 * dayMs);
  const end = new Date(now.getTime() - 90 * dayMs);
  const publishedAt = { draft: null, published: before, archived: before };
  const published = {
    publishedAt: now,
    expiresAt: new Date(now.getTime() + 90 * dayMs),
  };
  const expired = withEnd({ state: 'published', publishedAt: end });

  const pairs = jobStates.flatMap((from) =>
    jobStates.map((to): ParityCase => {
      const move = `${from}→${to}`;
      const given = {
        before: withEnd({ state: from, publishedAt: publishedAt[from] }),
        fields: { state: to },
      };
      if (from === to)
        return jobCase(`${move} is not a transition and changes nothing (Contract 2.5.1)`, given);
      if (!moves.includes(move)) {
        return jobCase(`${move} is refused (Contract 2.5.2)`, {
          ...given,
          refused: 'state-transition-not-allowed',
        });
      }
      return jobCase(
        `${move} is allowed, and sets publishedAt and the end only when publishing (Contract 2.5.1, 2.5.3, 2.5.4)`,
        {
          ...given,
          stored: { state: to, ...(to === 'published' && published) },
        },
      );
    }),
  );

  return [
    ...pairs,
    jobCase('sending the state published again keeps publishedAt (Contract 2.5.3)', {
      before: withEnd({ publishedAt: before }),
      fields: { state: 'published', salary: '1' },
      stored: { salary: '1' },
    }),
    jobCase('over REST, a state may have spaces around it (Contract 5.1.8)', {
      before: withEnd({ publishedAt: before }),
      fields: { state: ' published ' },
      isRefusedByTypes: true,
    }),
    jobCase('an update without a state keeps the state (Contract 5.1.5)', {
      before: withEnd({ state: 'archived', publishedAt: before }),
      fields: { salary: '1' },
      stored: { salary: '1' },
    }),
    jobCase('a job is still published one millisecond before its end (Contract 2.5.4)', {
      before: withEnd({ state: 'published', publishedAt: new Date(end.getTime() + 1) }),
      fields: { state: 'archived' },
      stored: { state: 'archived' },
    }),
    jobCase('updating a job at its end archives the job and applies the update (Contract 2.5.5, 2.5.7)', {
      before: expired,
      fields: { salary: '1' },
      stored: { state: 'archived', salary: '1' },
      versions: 2,
    }),
    jobCase('a job past its end can be published again, with a new publishedAt (Contract 2.5.3, 2.5.7)', {
      before: expired,
      fields: { state: 'published' },
      stored: published,
      versions: 2,
    }),
    jobCase('archiving a job past its end changes nothing (Contract 2.5.5)', {
      before: expired,
      fields: { state: 'archived' },
    }),
    jobCase('a job past its end cannot go back to draft (Contract 2.5.2)', {
      before: expired,
      fields: { state: 'draft' },
      refused: 'state-transition-not-allowed',
    }),
  ];
}

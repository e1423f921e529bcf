import { invalid, jobCase, type ParityCase } from './parity-case.js';

const dayMs = 86_400_000;

/** @param now the time on the gateway's clock */
export function jobEndCases(now: Date): readonly ParityCase[] {
  const at = (days: number, ms = 0) => new Date(now.getTime() + days * dayMs + ms);
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
  const endOf = (instant: Date) => new Date(`${dayOf(instant)}T23:59:59.999Z`);
  const publishedAt = at(-10);
  const latest = at(80);
  const published = { state: 'published', publishedAt, expiresAt: at(20) };
  const archived = { ...published, state: 'archived' };
  const draft = { state: 'draft', publishedAt: null, expiresAt: null };
  const ended = { ...published, expiresAt: at(-1) };
  const fault = invalid('expires_at-format-error');
  const send = (expiresAt: Date | string | null, others: object = {}) => ({
    fields: { expires_at: expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt, ...others },
  });
  const publish = { state: 'published' };
  const republished = (expiresAt: Date) => ({ ...publish, publishedAt: now, expiresAt });

  return [
    jobCase('an end is stored, one millisecond after now (Contract 5.4.8)', {
      before: published,
      ...send(at(0, 1)),
      stored: { expiresAt: at(0, 1) },
    }),
    jobCase('the latest end is stored (Contract 5.4.8)', {
      before: published,
      ...send(latest),
      stored: { expiresAt: latest },
    }),
    jobCase('a date is the end of its day in UTC (Contract 5.4.8)', {
      before: published,
      ...send(dayOf(at(30))),
      stored: { expiresAt: endOf(at(30)) },
    }),
    jobCase('the date of the latest day is the latest instant (Contract 5.4.8)', {
      before: published,
      ...send(dayOf(latest)),
      stored: { expiresAt: latest },
    }),
    jobCase('null gives back the default (Contract 5.4.8)', {
      before: published,
      ...send(null),
      stored: { expiresAt: latest },
    }),
    ...Object.entries({
      now: at(0),
      'an instant that has passed': at(-5),
      'a millisecond past the latest instant': at(80, 1),
      yesterday: dayOf(at(-1)),
      'the day after the latest instant': dayOf(at(81)),
    }).map(([what, given]) =>
      jobCase(`${what} is out of bounds (Contract 5.4.8)`, {
        before: published,
        ...send(given),
        ...fault,
      }),
    ),
    jobCase('the end of a job that this update publishes is the one sent (Contract 2.5.4)', {
      before: draft,
      ...send(at(5), publish),
      stored: republished(at(5)),
    }),
    jobCase('publishing with null gives the default (Contract 2.5.4)', {
      before: draft,
      ...send(null, publish),
      stored: republished(at(90)),
    }),
    jobCase('publishing again with the stored end keeps an end that lies ahead (Contract 5.4.9)', {
      before: archived,
      ...send(at(20), publish),
      stored: { ...publish, publishedAt: now },
    }),
    jobCase(
      'publishing again with the stored end gives the default if that end has passed (Contract 5.4.9)',
      {
        before: ended,
        ...send(at(-1), publish),
        stored: republished(at(90)),
        versions: 2,
      },
    ),
    jobCase('the stored end sent back changes nothing (Contract 5.4.9)', {
      before: published,
      ...send(at(20)),
    }),
    jobCase('the stored end sent back for an archived job changes nothing (Contract 5.4.9)', {
      before: archived,
      ...send(at(20)),
    }),
    jobCase('the stored end sent back with a move to archived is no fault (Contract 5.4.9)', {
      before: published,
      ...send(at(20), { state: 'archived' }),
      stored: { state: 'archived' },
    }),
    ...Object.entries({ draft, archived, 'past its end': ended }).map(([what, before]) =>
      jobCase(`an end for a job that is ${what} is a fault (Contract 5.4.9)`, {
        before,
        ...send(at(5)),
        ...fault,
      }),
    ),
    jobCase('null for a job that is not published is no change (Contract 5.4.8)', {
      before: archived,
      ...send(null),
    }),
    jobCase('an end with a move to archived is a fault (Contract 5.4.9)', {
      before: published,
      ...send(at(5), { state: 'archived' }),
      ...fault,
    }),
  ];
}

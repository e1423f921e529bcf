import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { updateCompany, updateJob } from '../support/updates.js';

let token: string;
let now = new Date();

const gateway = ownGateway({}, { clock: () => now });
beforeAll(async () => void (token = await gateway.token()));
beforeEach(async () => {
  now = new Date();
  await gateway.reset();
});

interface Entry {
  at: string;
  actor: string;
  transport: string;
  requestId: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

interface Connection {
  edges: { cursor: string; node: Entry }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const jobHistory = `query ($id: String!, $first: Int, $after: String) {
  job(publicId: $id) {
    history(first: $first, after: $after) {
      totalCount edges { cursor node { at actor transport requestId changes { field before after } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

async function historyOf(
  id: string,
  page: { first?: number; after?: string | null } = {},
): Promise<Connection> {
  const { body } = await graphql(gateway, jobHistory, { id, ...page }, { token });
  expect(body.errors).toBeUndefined();
  return (body.data as { job: { history: Connection } }).job.history;
}

const update = (fields: Record<string, string>, id?: string, headers = {}) =>
  updateJob(gateway, fields, { token, headers }, id);

describe('the history of a job (Contract 6.1.4)', () => {
  it('shows the actor, time, API and request id of a change, and each field before and after (Contract 6.1.4)', async () => {
    const before = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    await update({ salary: '60k' }, 'acme-backend-engineer', { 'x-request-id': 'the-request' });
    const { edges } = await historyOf('acme-backend-engineer');
    expect(edges.map(({ node }) => node)).toEqual([
      {
        at: now.toISOString(),
        actor: 'tester',
        transport: 'rest',
        requestId: 'the-request',
        changes: [{ field: 'salary', before: before?.salary, after: '60k' }],
      },
    ]);
  });

  it('names each field as its input does, and one that no update writes by its own name (Contract 6.1.2, 6.1.4)', async () => {
    await update({
      description_job: 'New',
      contract_id: 'internship',
      salary_minimum: '1',
      salary_currency: 'EUR',
      salary_period: 'day',
    });
    await update({ state: 'archived' });
    const [archived, changed] = (await historyOf('acme-backend-engineer')).edges;
    const namesIn = (edge: typeof archived) => edge?.node.changes.map(({ field }) => field).sort();
    expect(namesIn(changed)).toEqual(['contractId', 'descriptionJob', 'salaryRange']);
    expect(namesIn(archived)).toEqual(['state']);
    now = new Date(now.getTime() + 1_000);
    await update({ state: 'published' });
    expect(namesIn((await historyOf('acme-backend-engineer')).edges[0])).toContain('publishedAt');
  });

  it('hides e-mail addresses (Contract 6.1.5)', async () => {
    for (const person of ['first', 'second']) {
      await update({
        manager_emails: `${person}@manager.example`,
        recruiter_emails: `${person}@recruiter.example`,
      });
    }
    const history = await historyOf('acme-backend-engineer');
    for (const { node } of history.edges) {
      expect(node.changes).toEqual([
        { field: 'managerEmails', before: null, after: null },
        { field: 'recruiterEmails', before: null, after: null },
      ]);
    }
    expect(history.edges).toHaveLength(2);
  });

  it('does not reveal which other media or company a record is or was in (Contract 3.3.7, 6.1.5)', async () => {
    const { jobs, companies } = gateway.models;
    const entryOf = (...changes: { field: string; before: unknown; after: unknown }[]) => ({
      $set: {
        version: 2,
        pendingHistory: [
          {
            version: 2,
            at: now,
            actor: 'operator',
            transport: 'import',
            requestId: 'r',
            changes,
          },
        ],
      },
    });
    const memberships = { field: 'memberships', before: null, after: [{ media: 'other-media' }] };
    await companies.updateOne({ publicId: 'acme' }, entryOf(memberships));
    const moves = [
      { field: 'media', before: 'other-media', after: 'demo-media' },
      { field: 'company', before: 'initech', after: 'acme' },
    ];
    await jobs.updateOne({ publicId: 'acme-backend-engineer' }, entryOf(...moves));
    const history = 'history { edges { node { changes { field before after } } } }';
    const query = `{ job(publicId: "acme-backend-engineer") { ${history} }
      company(mediaPublicId: "demo-media", publicId: "acme") { ${history} } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    const shown = (...fields: string[]) => ({
      history: {
        edges: [{ node: { changes: fields.map((field) => ({ field, before: null, after: null })) } }],
      },
    });
    expect(body.data).toEqual({ job: shown('media', 'company'), company: shown('memberships') });
  });

  it('has one entry per version, newest first over all pages, and counts them, even after entries moved to the collection (Contract 6.1.4, 6.1.5)', async () => {
    for (let salary = 1; salary <= 40; salary += 1) await update({ salary: `${salary}k` });
    const stored = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(stored?.version).toBe(41);
    expect(stored?.pendingHistory.length).toBeLessThan(32);

    const salaries: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Connection = await historyOf('acme-backend-engineer', { first: 7, after });
      expect(page).toHaveProperty('totalCount', 40);
      salaries.push(...page.edges.map(({ node }) => node.changes[0]?.after));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(salaries).toEqual(Array.from({ length: 40 }, (_, index) => `${40 - index}k`));
  });

  it('refuses invalid page arguments (Contract 6.1.5)', async () => {
    for (const page of [{ first: 0 }, { first: 101 }, { after: 'nonsense' }]) {
      const { body } = await graphql(
        gateway,
        jobHistory,
        { id: 'acme-backend-engineer', ...page },
        { token },
      );
      expect(body.errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        error: 'validation-failed',
      });
    }
  });
});

describe('a write to an expired job (Contract 2.5)', () => {
  it('first archives the job, with the actor `system` and the time of its expiry (Contract 2.5.7)', async () => {
    const before = await gateway.models.jobs.findOne({ publicId: 'acme-night-guard' }).lean();
    const { status } = await update({ salary: '2 100 €' }, 'acme-night-guard');
    expect(status).toBe(200);
    const { edges } = await historyOf('acme-night-guard');
    expect(
      edges.map(({ node }) => [node.actor, node.transport, node.changes.map(({ field }) => field)]),
    ).toEqual([
      ['tester', 'rest', ['salary']],
      ['system', 'task', ['state']],
    ]);
    expect(edges[1]?.node.at).toBe(
      new Date((before?.publishedAt?.getTime() ?? 0) + gateway.settings.jobLifetimeMs).toISOString(),
    );
    const stored = await gateway.models.jobs.findOne({ publicId: 'acme-night-guard' }).lean();
    expect(stored).toMatchObject({ state: 'archived', salary: '2 100 €', version: 3 });
  });
});

describe('histories in a list (Contract 4.3.1, 6.1.5)', () => {
  const page = `history(first: 2) { edges { cursor node { changes { field after } } } pageInfo { hasNextPage endCursor } }`;
  const lists = `{
    jobs(mediaPublicId: "demo-media", first: 20) { edges { node { publicId ${page} all: history(first: 100) { edges { cursor } } } } }
    companies(mediaPublicId: "demo-media") { edges { node { publicId ${page} } } }
  }`;
  interface Shown {
    publicId: string;
    history: Connection;
    all?: Connection;
  }
  /** Enough that some entries have moved to the collection, and some are in the record. */
  const updatesUntilMoved = 33;
  interface List {
    edges: { node: Shown }[];
  }
  const read = async () => {
    const { body } = await graphql(gateway, lists, {}, { token });
    expect(body.errors).toBeUndefined();
    const { jobs, companies } = body.data as { jobs: List; companies: List };
    return [...jobs.edges, ...companies.edges].map(({ node }) => node);
  };

  it('each have the entries of their own record, in the record or in the collection (Contract 6.1.5)', async () => {
    for (let salary = 1; salary <= updatesUntilMoved; salary += 1) await update({ salary: `${salary}k` });
    await update({ salary: '1k' }, 'acme-data-analyst');
    await updateCompany(gateway, { description: 'New' }, { token });

    const shown = new Map((await read()).map((node) => [node.publicId, node]));
    const changesOf = (publicId: string) =>
      shown.get(publicId)?.history.edges.map(({ node }) => node.changes[0]?.after);
    expect(changesOf('acme-backend-engineer')).toEqual([
      `${updatesUntilMoved}k`,
      `${updatesUntilMoved - 1}k`,
    ]);
    expect(shown.get('acme-backend-engineer')?.history.pageInfo.hasNextPage).toBe(true);
    expect(shown.get('acme-backend-engineer')?.all?.edges).toHaveLength(updatesUntilMoved);
    expect(changesOf('acme-data-analyst')).toEqual(['1k']);
    expect(shown.get('acme-data-analyst')?.history.pageInfo.hasNextPage).toBe(false);
    expect(changesOf('acme-office-manager')).toEqual([]);
    expect(changesOf('acme')).toEqual(['New']);
    expect(changesOf('globex')).toEqual([]);
  });

  it('take four database commands for jobs and two for companies, however many records the list has', async () => {
    for (let salary = 1; salary <= updatesUntilMoved; salary += 1) {
      await update({ salary: `${salary}k` });
      await update({ salary: `${salary}k` }, 'acme-data-analyst');
      await updateCompany(gateway, { description: `${salary}` }, { token });
    }
    await read();
    const commands: string[] = [];
    mongoose.set('debug', (collection, method) => commands.push(`${String(collection)}.${String(method)}`));
    const nodes = await read();
    mongoose.set('debug', false);
    expect(nodes.length).toBeGreaterThan(5);
    const count = (command: string) => commands.filter((sent) => sent === command).length;
    // `jobs.find` and `companies.find` each read the records once for the list, and once for the entries in them. `history.find` reads the moved entries: twice for jobs, in growing batches, and once for companies.
    expect([count('jobs.find'), count('companies.find'), count('history.find')]).toEqual([2, 2, 3]);
    expect(commands.filter((command) => /findOne/.test(command))).toEqual([]);
  });
});

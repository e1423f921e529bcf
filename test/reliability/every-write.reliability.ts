import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { EJSON } from 'bson';
import { isCreation, type MutationField, mutationFields, operations } from '../../src/operations.js';
import { loseLease } from '../support/lease.js';
import { endAll, type Running, startGatewayProcess } from '../support/process.js';
import { tokenFactory } from '../support/tokens.js';
import { until } from '../support/until.js';
import { parseSettings } from '../../src/settings/settings.js';
import { Client, type Outcome } from './support/client.js';
import { atEachMoment, dying, hourlyTask, isKilled } from './support/deaths.js';
import { type Installation, shareDatabase } from './support/installation.js';
import {
  both,
  brand,
  companyLine,
  entered,
  formerBrand,
  imported,
  importKilled,
  jobLine,
  leaveHalfDone,
  left,
  membership,
} from './support/moving.js';
import { Readers, storedOf } from './support/readers.js';

let installation: Installation;
let gateway: Running;
let readers: Readers;
let client: Client;

beforeAll(async () => {
  installation = await shareDatabase();
  const { environment, models, token } = installation;
  await imported(
    installation,
    { kind: 'media', public_id: entered, name: 'Other', job_url_template: 'https://o.example/{job}' },
    // A media without a company of its brand is refused to a brand_admin.
    ...[formerBrand, brand].map((own) => companyLine(own, { name: own, brand: own, memberships: both })),
  );
  gateway = await startGatewayProcess(environment);
  client = new Client(gateway.url, token);
  const sign = await tokenFactory(parseSettings(environment));
  const admin = await sign({ media: [left, entered] });
  const ofBrand = async (own: string) => {
    const signed = await sign({ roles: ['brand_admin'], brand: own, media: undefined });
    return [left, entered].map((media) => ({ token: signed, media, brand: own }));
  };
  readers = new Readers(gateway.url, models, [
    ...[left, entered].map((media) => ({ token: admin, media })),
    ...(await ofBrand(formerBrand)),
    ...(await ofBrand(brand)),
  ]);
});
afterAll(async () => {
  client.close();
  await endAll();
  await installation.remove();
});

/** Waits until the followers of both media have read everything. */
async function followToEnd(): Promise<void> {
  const id = `last-${randomUUID().slice(0, 8)}`;
  await imported(installation, companyLine(id, { name: id, memberships: both }));
  const hasRead = (media: string) => Object.keys(readers.followed(media, id)).length > 0;
  await until(async () => {
    await readers.look(id);
    return [left, entered].every(hasRead);
  });
}

/** Sends the call to a gateway that dies, then twice with its key to another. @param countMade counts what the call made */
async function keyedCall(
  at: number,
  call: (to: Client) => Promise<Outcome>,
  countMade: () => Promise<number>,
) {
  const { environment, token, models } = installation;
  const doomed = await startGatewayProcess({ ...environment, ...dying(at) });
  const caller = new Client(doomed.url, token);
  const { status } = await call(caller);
  caller.close();
  await doomed.end('SIGKILL');
  const isMade = (await countMade()) > 0;
  // As 10 s of silence do.
  await models.idempotency.updateMany({ payload: { $exists: false } }, { claimedAt: new Date(0) });
  const replies = [await call(client), await call(client)];
  const isReplayed = replies.map(({ headers }) => headers['idempotency-replayed'] === 'true');
  expect(isReplayed).toEqual([isMade, true]);
  return { isDead: status === null, replies };
}

describe('kill -9 before and after every write of a keyed call', () => {
  const place = { media_public_id: left, company_public_id: 'acme' };
  const keyed = (key: string) => ({ 'idempotency-key': key });
  const calls: Record<MutationField, (to: Client, name: string) => Promise<Outcome>> = {
    updateJob: (to, name) => to.updateJob(name, { salary: 'new' }, keyed(name)),
    updateCompany: (to, name) => to.updateCompany({ description: 'new' }, keyed(name), name),
    createJob: (to, name) => to.createJob({ ...place, name }, keyed(name)),
  };

  it.each(mutationFields)(
    '%s: repeated, it is made once and has the answer of an undisturbed call (Contract 6.1.4, 6.2.1, 6.2.2, 5.5.7)',
    async (operation) => {
      const { models } = installation;
      const isOfJob = operations[operation].record === 'job';
      const isNew = isCreation(operation);
      const { collection: records } = isOfJob ? models.jobs : models.companies;
      const outcomes = new Map<string, unknown>();
      const deaths = await atEachMoment(1, async (at) => {
        const name = `${operation.toLowerCase()}-${at}`;
        if (!isNew) {
          const company = companyLine(name, { name, memberships: both });
          await imported(installation, isOfJob ? jobLine(name, { ...place, name: 'Updated' }) : company);
          // The next change moves the history out of the record.
          await records.updateOne({ publicId: name }, { $set: { version: 31 } });
        }
        const ofCall = isNew ? { name } : { publicId: name, version: 32 };
        const { isDead, replies } = await keyedCall(
          at,
          (to) => calls[operation](to, name),
          () => records.countDocuments(ofCall),
        );
        const answers = replies.map(({ status, headers, body }) => ({
          ...{ status, body, version: headers.etag, location: headers.location },
        }));
        const made = await records.find(ofCall).toArray();
        expect(made).toHaveLength(1);
        const [{ _id: id, publicId }] = made as unknown as [{ _id: Types.ObjectId; publicId: string }];
        const outcome = JSON.stringify({ answers, stored: await storedOf(models, publicId) });
        outcomes.set(
          name,
          [publicId, name, String(id)].reduce((text, own) => text.replaceAll(own, '*'), outcome),
        );
        return isDead;
      });
      const undisturbed = [...outcomes.values()].at(-1) as string;
      const { stored } = JSON.parse(undisturbed) as { stored: { jobs: object[]; companies: object[] } };
      const version = isNew ? 1 : 32;
      expect(isOfJob ? stored.jobs : stored.companies).toEqual([
        expect.objectContaining({ version, entries: [expect.anything()], isPending: false }),
      ]);
      for (const outcome of outcomes.values()) expect(outcome).toBe(undisturbed);
      await followToEnd();
      for (const id of outcomes.keys())
        expect(Object.values(readers.followed(left, id))).toEqual([
          `${version} ${isOfJob ? 'draft' : 'present'}`,
        ]);
      process.stdout.write(`${operation}: killed ${deaths} times\n`);
      expect(deaths).toBeGreaterThanOrEqual(8);
    },
  );
});

const isComplete = { isDue: false, isPending: false };
const complete = { ...isComplete, isAsCompany: true };

describe('kill -9 after every write of what moves records, with readers beside it', () => {
  it('an import that gives a company another brand and media: run again, all is as after one run, and nobody sees too much (Contract 3.3.5, 4.6.3, 9.2.3, 9.2.6)', async () => {
    const { models } = installation;
    const outcomes = new Map<string, unknown>();
    const deaths = await atEachMoment(2, async (at) => {
      const id = `moved-${at}`;
      const job = (name: string, media: string) =>
        jobLine(`${id}-${name}`, { name, media_public_id: media, company_public_id: id });
      const company = companyLine(id, { name: id, brand: formerBrand, memberships: both });
      await imported(
        installation,
        company,
        job('stays', left),
        job('follows', left),
        job('elsewhere', entered),
      );
      const moves = [
        { ...company, brand, memberships: [membership(entered)] },
        jobLine(`${id}-follows`, { media_public_id: entered }),
        jobLine(`${id}-elsewhere`, { salary: 'new' }),
        job('added', entered),
      ];
      const isDead = await readers.beside(id, importKilled(installation, moves, dying(at)));
      if (isDead) await readers.beside(id, imported(installation, ...moves));
      outcomes.set(id, await storedOf(models, id));
      return isDead;
    });
    const undisturbed = [...outcomes.values()].at(-1);
    expect(undisturbed).toMatchObject({
      companies: [{ ...isComplete, version: 2, brand, media: [entered] }],
      jobs: [
        { ...complete, publicId: '*-added', version: 1 },
        { ...complete, publicId: '*-elsewhere', version: 2, brand },
        { ...complete, publicId: '*-follows', version: 2, media: entered },
        { ...complete, publicId: '*-stays', version: 1, isCompanyInMedia: false },
      ],
    });
    for (const outcome of outcomes.values()) expect(outcome).toEqual(undisturbed);
    await followToEnd();
    for (const id of outcomes.keys()) {
      expect(readers.followed(left, id)).toEqual({
        'company *': '2 gone',
        'job *-stays': '1 gone',
        'job *-follows': expect.stringMatching('gone'),
      });
      expect(readers.followed(entered, id)).toEqual({
        'company *': '2 present',
        ...{ 'job *-added': '1 draft', 'job *-elsewhere': '2 draft', 'job *-follows': '2 draft' },
      });
    }
    expect([...readers.faults]).toEqual([]);
    process.stdout.write(`import: killed ${deaths} times\n`);
    expect(deaths).toBeGreaterThanOrEqual(12);
  });

  it('the hourly task: run again, it completes what killed imports and calls left, and nobody sees too much (Contract 3.3.5, 4.6.3, 9.2.6, 9.2.8)', async () => {
    const { models } = installation;
    const remains = await leaveHalfDone(installation);
    const outcomes = new Map<string, unknown>();
    const deaths = await atEachMoment(2, async (at) => {
      const id = `left-${at}`;
      const copy = (documents: readonly object[]) =>
        documents.map((document) => ({
          ...(EJSON.parse(EJSON.stringify(document, { relaxed: false }).replaceAll('left-0', id)) as object),
          _id: new Types.ObjectId(),
        }));
      const jobs = copy(remains.jobs) as { _id: Types.ObjectId; publicId: string }[];
      const old = jobs.find(({ publicId }) => publicId === `${id}-kept-old`)!;
      // New to followers, and their jobs are not.
      const companies = copy(remains.companies).map((each) => ({ ...each, changedAt: new Date() }));
      await models.companies.collection.insertMany(companies);
      await models.jobs.collection.insertMany(jobs);
      await models.history.collection.insertOne({ record: old._id });
      await models.idempotency.collection.insertOne({ _id: id, payload: { job: old } } as never);
      const task = (death = {}) => isKilled(hourlyTask, { ...installation.environment, ...death });
      const isDead = await readers.beside(`${id}-gone`, task(dying(at)));
      await loseLease(models);
      if (isDead) await readers.beside(`${id}-gone`, task());
      const ofRemoved = [
        await models.history.countDocuments({ record: old._id }),
        await models.idempotency.countDocuments({ _id: id }),
      ];
      outcomes.set(id, { stored: await storedOf(models, id), ofRemoved });
      return isDead;
    });
    const undisturbed = [...outcomes.values()].at(-1);
    expect(undisturbed).toMatchObject({
      stored: {
        companies: [
          { ...isComplete, publicId: '*-gone', version: 2, brand, media: [entered] },
          { ...isComplete, publicId: '*-kept', version: 1 },
        ],
        jobs: [
          { ...complete, publicId: '*-gone-elsewhere', brand },
          { ...complete, publicId: '*-gone-stays', isCompanyInMedia: false },
          { ...complete, publicId: '*-kept-created', isCompanyInMedia: true },
          { ...complete, publicId: '*-kept-follows', version: 2, media: entered },
        ],
      },
      ofRemoved: [0, 0],
    });
    for (const outcome of outcomes.values()) expect(outcome).toEqual(undisturbed);
    await followToEnd();
    for (const id of outcomes.keys()) {
      expect(readers.followed(left, id)).toEqual({
        ...{ 'company *-gone': '2 gone', 'company *-kept': '1 present' },
        ...{ 'job *-gone-stays': '1 gone', 'job *-kept-follows': '2 gone' },
        ...{ 'job *-kept-created': '1 draft', 'job *-kept-old': '2 gone' },
      });
      expect(readers.followed(entered, id)).toEqual({
        ...{ 'company *-gone': '2 present', 'company *-kept': '1 present' },
        ...{ 'job *-gone-elsewhere': '1 draft', 'job *-kept-follows': '2 draft' },
      });
    }
    expect([...readers.faults]).toEqual([]);
    process.stdout.write(`hourly task: killed ${deaths} times\n`);
    expect(deaths).toBeGreaterThanOrEqual(12);
  });
});

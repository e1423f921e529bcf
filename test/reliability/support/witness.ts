import { setTimeout as sleep } from 'node:timers/promises';
import { type Models } from '../../../src/models.js';
import { faultsOf, type Outcome, type Sent } from './checker.js';
import { type Client, type Outcome as Reply } from './client.js';

const job = 'acme-office-manager';
const mostTries = 300;
const pauseMs = 100;

/** Sends calls, and compares their outcomes with the stored records, by what the contract promises. */
export class Witness {
  private readonly outcomes: Outcome[] = [];
  private readonly repeated: Outcome[] = [];

  async send(client: Client, sent: Sent): Promise<Outcome> {
    const outcome = await outcomeOf(client, sent);
    this.outcomes.push(outcome);
    return outcome;
  }

  async trySendAgain(client: Client, sent: Sent): Promise<boolean> {
    const outcome = await outcomeOf(client, sent);
    if (outcome.end.kind === 'told') this.repeated.push(outcome);
    return outcome.end.kind === 'told';
  }

  /**
   * Repeats a call until it is answered.
   * @throws Error if the gateway does not come back
   */
  async sendAgain(client: Client, sent: Sent): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (await this.trySendAgain(client, sent)) return;
      await sleep(pauseMs);
    }
    throw new Error(`${sent.value} was never answered`);
  }

  toSendAgain(): Sent[] {
    const again = new Set(this.repeated.map(({ sent }) => sent.value));
    return this.outcomes
      .filter(({ end, sent }) => !again.has(sent.value) && (end.kind === 'unknown' || sent.key))
      .map(({ sent }) => sent);
  }

  count = () => ({
    calls: this.outcomes.length,
    unknown: this.outcomes.filter(({ end }) => end.kind === 'unknown').length,
  });

  async faults(models: Models): Promise<string[]> {
    const [jobs, companies, history] = await Promise.all([
      models.jobs.find({ publicId: job }).lean(),
      models.companies.find({ publicId: 'acme' }).lean(),
      models.history.find().lean(),
    ]);
    const stored = { records: [...jobs, ...companies], history } as unknown as Record<
      'records' | 'history',
      Record<string, unknown>[]
    >;
    return faultsOf({ outcomes: this.outcomes, repeated: this.repeated, ...stored });
  }
}

async function outcomeOf(client: Client, sent: Sent): Promise<Outcome> {
  const startedAt = performance.now();
  const headers = sent.key === undefined ? {} : { 'idempotency-key': sent.key };
  const reply =
    sent.operation === 'updateJob'
      ? await client.updateJob(job, { salary: sent.value }, headers)
      : await client.updateCompany({ description: sent.value }, headers);
  return { sent, startedAt, endedAt: performance.now(), end: endOf(reply) };
}

function endOf({ status, headers, body }: Reply): Outcome['end'] {
  if (status === null || status === 503) return { kind: 'unknown' };
  if (status !== 200 && status !== 201) return { kind: 'refused', code: `${status} ${body}` };
  const version = Number(headers.etag?.replaceAll('"', ''));
  const isReplayed = headers['idempotency-replayed'] === 'true';
  return { kind: 'told', version, value: body, isReplayed };
}

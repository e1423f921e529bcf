import { describe, expect, it } from '@jest/globals';
import { Admission } from '../../src/permissions/admission.js';
import { type DomainError } from '../../src/errors/domain-error.js';

type Resolver = (...args: unknown[]) => unknown;

const admission = (maxInFlight: number, awayReason: string | null = null) => {
  const shed: string[] = [];
  const gate = new Admission(
    () => awayReason,
    maxInFlight,
    (reason) => shed.push(reason),
  );
  return { shed, admission: gate };
};

const send = (guard: Admission['admit'], work: Promise<unknown> = Promise.resolve('done')) =>
  Promise.resolve((guard as Resolver)(() => work, null, {}, {}, { parentType: { name: 'Query' } })).catch(
    (error: unknown) => {
      const { code, details, cause } = error as Partial<DomainError>;
      return {
        code,
        retryAfterSeconds: details?.retryAfterSeconds,
        cause: (cause as Error | undefined)?.message,
      };
    },
  );

const refused = (cause: string) => ({ code: 'service-unavailable', retryAfterSeconds: 1, cause });

describe('admission (Contract 7.2.1)', () => {
  it('runs at most MAX_IN_FLIGHT operations at a time', async () => {
    const { admission: gate, shed } = admission(2);
    const ends: (() => void)[] = [];
    const lasting = () => send(gate.admit, new Promise<void>((resolve) => ends.push(resolve)));
    const under = [lasting(), lasting()];
    expect(await send(gate.admit)).toEqual(refused('too many operations are under way'));
    expect(shed).toEqual(['in-flight']);
    for (const end of ends) end();
    await Promise.all(under);
    await send(gate.admit, Promise.reject(new Error('it failed')));
    expect(await Promise.all([send(gate.admit), send(gate.admit)])).toEqual(['done', 'done']);
    expect(shed).toHaveLength(1);
  });

  it('refuses operations while the database is away, and keeps the cause for the log', async () => {
    const away = admission(2, 'nobody listens');
    expect(await send(async () => away.admission.assertOpen())).toEqual(refused('nobody listens'));
    expect(away.shed).toEqual(['database']);
    expect(() => admission(2).admission.assertOpen()).not.toThrow();
  });
});

import { createConnection } from 'mongoose';
import pino from 'pino';
import { modelsOf } from '../../../src/models.js';
import { listBounds } from '../../../src/database/bounded-list.js';
import { createServices } from '../../../src/services.js';
import { operationsOf } from './operations.js';
import { type Sent, settings, type Told } from './sent.js';
import { type Stage } from './stage.js';

/** A clock that all processes share and that schedules set. */
export interface VirtualClock {
  nowMs: number;
  /** How often any process has read the clock. */
  reads: number;
}

/** A gateway process without its server: operations that call the services as the APIs would. */
export type Process = Awaited<ReturnType<typeof startProcess>>;

export async function startProcess(stage: Stage, clock: VirtualClock) {
  const { gateway, uri } = await stage.open();
  const connection = await createConnection(uri, {
    autoIndex: false,
    autoCreate: false,
    minPoolSize: 2,
  }).asPromise();
  let offsetMs = 0;
  const now = () => {
    clock.reads += 1;
    return new Date(clock.nowMs + offsetMs);
  };
  const models = modelsOf(connection);
  const services = createServices({
    settings,
    connection,
    models,
    places: Promise.resolve({}),
    clock: now,
    log: pino({ level: 'silent' }),
    onLogoShed: () => undefined,
    onDamaged: () => undefined,
    bounds: listBounds,
  } as unknown as Parameters<typeof createServices>[0]);
  const operations = operationsOf({ services, models, connection, now });

  return {
    gateway,
    models,
    now,
    setOffset: (ms: number) => (offsetMs = ms),
    close: () => connection.close(true),
    send: (sent: Sent): Promise<Told> => operations[sent.operation](sent),
  };
}

import { MongoClient, MongoServerError } from 'mongodb';
import { startGateway } from '../../dist/gateway.js';
import { createLog } from '../../dist/log/log.js';
import { parseSettings } from '../../dist/settings/settings.js';
import { gatewayEnvironment } from './stage.mjs';

/** The collection that the gateway looks into for scheduled tasks, at any time. */
const scheduled = 'tasks';
const reading = ['find', 'aggregate', 'count', 'distinct'];
/** What belongs to the connection, not to the query. A limit in time would end the explanation of a slow query. */
const ofTheConnection = new Set(['lsid', '$db', '$clusterTime', '$readPreference', 'maxTimeMS']);

/** Some servers run a query that they can't explain. */
const unknown = { keys: NaN, documents: NaN };

/** A gateway in this process, so that its commands can be seen: the database explains each of them afterwards. */
export async function startWatchedGateway(database) {
  const environment = { ...gatewayEnvironment(database), LOG_LEVEL: 'silent' };
  const settings = parseSettings(environment);
  let sent = [];
  const tracing = {
    requests: { begin: (_request, next) => next(), resume: (_request, next) => next(), end: () => undefined },
    operation: (_info, run) => run(),
    traceCommands: (client) => client.on('commandStarted', (event) => sent.push(event)),
    traceTask: (task) => task,
    stop: async () => undefined,
  };
  const gateway = await startGateway(settings, { log: createLog(settings), tracing });
  const client = await new MongoClient(settings.mongodbUri).connect();
  const db = client.db(database.name);

  async function explain({ command }) {
    const own = Object.fromEntries(Object.entries(command).filter(([name]) => !ofTheConnection.has(name)));
    try {
      return totals(await db.command({ explain: own, verbosity: 'executionStats' }));
    } catch (error) {
      if (error instanceof MongoServerError) return unknown;
      throw error;
    }
  }

  return {
    url: gateway.url,
    /** The reading commands that a call sends, and the keys and documents that the database examines for them. */
    examinedBy: async (call) => {
      sent = [];
      await call();
      const read = sent.filter(
        ({ commandName, command }) => reading.includes(commandName) && command[commandName] !== scheduled,
      );
      const explained = await Promise.all(read.map(explain));
      return {
        commands: read.length,
        keys: explained.reduce((sum, { keys }) => sum + keys, 0),
        documents: explained.reduce((sum, { documents }) => sum + documents, 0),
      };
    },
    stop: async () => {
      await client.close();
      await gateway.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
    },
  };
}

/** Adds up all parts of an explanation that count: the query itself, and each `$lookup`. */
function totals(part) {
  if (part === null || typeof part !== 'object') return { keys: 0, documents: 0 };
  if (part.totalKeysExamined !== undefined)
    return { keys: Number(part.totalKeysExamined), documents: Number(part.totalDocsExamined) };
  return Object.values(part)
    .map(totals)
    .reduce((sum, each) => ({ keys: sum.keys + each.keys, documents: sum.documents + each.documents }), {
      keys: 0,
      documents: 0,
    });
}

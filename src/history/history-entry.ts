import { Schema } from 'mongoose';
import { type CallDigest } from './keyed-call.js';

/** The way that a change came: a door, the gateway's own scheduled work, or a command of the operator's. */
export const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

/** The actor of a change, the door it came through, and its request. */
export interface Origin {
  /** The token's subject, or `system` for the archiving task. */
  actor: string;
  transport: Transport;
  requestId: string;
}

export interface FieldChange {
  /** The field of the record, in the words of the GraphQL schema. */
  field: string;
  before: unknown;
  after: unknown;
}

/** One change of one record: every field that it moved, before and after (Contract 10.1). */
export interface HistoryEntry extends Origin {
  /** The version that the change made. A record's entries and its versions correspond one to one. */
  version: number;
  at: Date;
  changes: FieldChange[];
  /** The call that made it, where its sender gave it an idempotency key. */
  call?: CallDigest;
}

/** A call with an idempotency key that found nothing to change, as it lies in the record (Contract 9.3.9). */
export interface UnchangingCall {
  at: Date;
  call: CallDigest;
}

const callSchema = new Schema<CallDigest>({ key: String, input: String }, { _id: false });

/** As it rides in the record's own write and as it lies in the history collection. */
export const historyEntrySchema = new Schema<HistoryEntry>(
  {
    version: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    transport: { type: String, required: true, enum: transports },
    requestId: { type: String, required: true },
    changes: [
      new Schema<FieldChange>(
        { field: String, before: Schema.Types.Mixed, after: Schema.Types.Mixed },
        { _id: false },
      ),
    ],
    call: callSchema,
  },
  { _id: false },
);

export const unchangingCallSchema = new Schema<UnchangingCall>(
  { at: Date, call: callSchema },
  { _id: false },
);

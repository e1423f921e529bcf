import { about, type Finding } from './finding.js';

/** Less is the network, and the whole seconds that HTTP tells. */
const tolerableMs = 5_000;

/** How another clock, read between two instants of ours, compares with ours. */
export function clockFinding(
  whose: string,
  theirs: Date,
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
): Finding {
  const { ok, warn } = about('clock');
  const theirsMs = theirs.getTime();
  const offMs = Math.max(startedAt.getTime() - theirsMs, theirsMs - endedAt.getTime(), 0);
  if (offMs <= tolerableMs) return ok(`agrees with the ${whose}’s`);
  const seconds = Math.round(offMs / 1_000);
  return warn(
    `is ${seconds} s ${theirsMs < startedAt.getTime() ? 'ahead of' : 'behind'} the ${whose}’s: tokens and jobs would begin and end at the wrong time`,
    'let NTP set both clocks',
  );
}

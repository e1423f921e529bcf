import { tolerableSkewMs } from '../database/clock-skew.js';
import { about, type Finding } from './finding.js';

/** @param skewMs how far our clock is ahead; negative if our clock is behind */
export function clockFinding(whose: string, skewMs: number): Finding {
  const { ok, warn } = about('clock');
  if (Math.abs(skewMs) <= tolerableSkewMs) return ok(`agrees with the ${whose}’s`);
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return warn(
    `is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the ${whose}’s: tokens and jobs start and expire at the wrong time`,
    'synchronise both clocks with NTP',
  );
}

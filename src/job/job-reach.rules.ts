import { type Caller } from '../tokens/caller.js';
import { reachAnywhere, reachIn, reachQuery } from '../permissions/reach.rules.js';
import { allOf, type Query } from '../paging/query.rules.js';

/** Matches the jobs of a media within a caller's reach, also those of companies that have left it. */
export const jobsIn = (caller: Caller, media: string): Query =>
  allOf({ media }, reachQuery(reachIn(caller, media)));

/** Matches the jobs of a media that lists show. */
export const listedJobsIn = (caller: Caller, media: string): Query =>
  allOf({ media, isCompanyInMedia: true }, reachQuery(reachIn(caller, media)));

/**
 * For a job whose media is not known yet. Jobs out of reach don't match, so they are neither joined nor decoded, and response times don't
 * tell them from absent jobs.
 */
export const jobsAnywhere = (caller: Caller): Query =>
  allOf(caller.media && { media: { $in: [...caller.media] } }, reachQuery(reachAnywhere(caller)));

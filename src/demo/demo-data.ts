import { type MediaRecord } from '../media/media.model.js';
import { demoCompanies } from './demo-companies.js';
import { demoId } from './demo-id.js';
import { demoJobs } from './demo-jobs.js';
import { demoReferenceId, demoReferences, type ReferenceIdOf } from './demo-references.js';

/** Whole records, as they are stored. */
export type DemoData = ReturnType<typeof demoData>;

/**
 * All that a person needs to try the gateway, the same at every call but for the instants of publication. No two records share a
 * unique key, and each is valid by its schema. `idOf` finds the references, by default the demo's own.
 */
export function demoData(now: Date, idOf: ReferenceIdOf = demoReferenceId) {
  return {
    media: [media('demo-media', 'Demo Media'), media('other-media', 'Other Media')],
    companies: demoCompanies(idOf),
    jobs: demoJobs(now, idOf),
    references: demoReferences(),
  };
}

function media(publicId: string, name: string): MediaRecord {
  return {
    _id: demoId('media', publicId),
    publicId,
    name,
    jobUrlTemplate: `https://${publicId}.example/companies/{company}/jobs/{job}`,
  };
}

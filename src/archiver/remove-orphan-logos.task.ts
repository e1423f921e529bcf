import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { type LogoStore } from '../company/logo/logo-store.js';
import { hourMs, type Task } from './task.js';

/** A step takes a few ms, so 100 steps end long before a silent worker counts as dead. */
const stepsPerRenewal = 100;

/** Removes the remains of crashed uploads, and logos over an hour old that belong to no company (Contract 4.1.7.7). */
export const removeOrphanLogosTask = (store: LogoStore, companies: Model<CompanyRecord>): Task => ({
  name: 'remove-orphan-logos',
  everyMs: hourMs,
  isVital: false,
  run: async ({ isStopping, renew, skip }) => {
    let steps = 0;
    const isUsed = async (hash: unknown) => {
      if (typeof hash === 'string') return (await companies.exists({ 'logo.hash': hash })) !== null;
      skip('logo', JSON.stringify(hash), new Error('the name of its file is damaged'));
      return true;
    };
    await store.removeOrphans(isUsed, hourMs, async () => {
      if (++steps % stepsPerRenewal === 0) await renew();
      return !isStopping();
    });
    // A stop leaves the rest to the next hourly run.
    return true;
  },
});

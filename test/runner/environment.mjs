import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Runs test files in the process itself, without a separate VM context. */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = console;
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  /** Restores what jest and the test file replaced. */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }
}

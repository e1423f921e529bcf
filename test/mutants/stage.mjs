import { fork } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { URL } from 'node:url';
import { withMutant } from './mutators.mjs';

const copied = ['src', 'test', 'schema', 'deploy', 'package.json', 'README.md', 'tsconfig.json'];
const linked = ['node_modules', 'dist'];
/** Time limit of one test file: a mutant may loop forever. */
const longestMs = 120_000;
/** How long a test file may still run after a test has failed. */
const restMs = 5_000;

/** Tests one mutant at a time in a copy of the project. */
export class Stage {
  folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  worker = null;

  constructor(root) {
    this.root = root;
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true });
    for (const name of linked) symlinkSync(join(root, name), join(this.folder, name));
  }

  /** Returns the first test file that fails or does not end; null if all pass. */
  async firstToFail(tests, mutant) {
    // A process loads each source only once, so each mutant needs a new process.
    this.worker = this.start();
    let job = { tests };
    if (mutant) {
      const original = readFileSync(join(this.root, mutant.path), 'utf8');
      job = { tests, path: mutant.path, text: withMutant(original, mutant), original };
    }
    const { isFailed, isDone, test } = await this.tell(job);
    this.end();
    if (!isDone && mutant) cpSync(join(this.root, mutant.path), join(this.folder, mutant.path));
    return isFailed ? (test ?? tests[0]) : null;
  }

  tell(job) {
    const { worker } = this;
    return new Promise((resolve) => {
      let test;
      const end = (outcome) => {
        clearTimeout(timer);
        worker.off('message', hear).off('exit', lose);
        resolve({ ...outcome, test });
      };
      const lose = () => end({ isFailed: true, isDone: false });
      let timer;
      const loseIn = (ms) => {
        clearTimeout(timer);
        timer = setTimeout(lose, ms);
      };
      const hear = (outcome) => {
        if (outcome.isDone) return end(outcome);
        test = outcome.test ?? test;
        loseIn(outcome.test ? longestMs : restMs);
      };
      loseIn(longestMs);
      worker.on('message', hear).on('exit', lose);
      worker.send(job);
    });
  }

  start() {
    return fork(new URL('worker.mjs', import.meta.url), [this.folder], {
      env: { ...process.env, NODE_ENV: 'test' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  end() {
    this.worker?.kill('SIGKILL');
    this.worker = null;
  }

  close() {
    this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/http/log.js';
import { terminalLog } from '../../src/http/terminal-log.js';
import { root } from '../support/process.js';

/** `script` gives a command a terminal; a machine without util-linux has none. */
const script = '/usr/bin/script';
const onATerminal = existsSync(script) ? it : it.skip;

describe('the log at a terminal', () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: 'trace', environment: 'development' },
    terminalLog((text) => lines.push(text)) ?? undefined,
  );
  const last = () => lines.at(-1)?.replace(/^\[\d\d:\d\d:\d\d\] /, '');

  it('has a request as a line, its duration with the unit', () => {
    log.info({ requestId: 'r-1', method: 'POST', path: '/jobs/a', status: 200, ms: 12 }, 'answered');
    expect(lines.at(-1)).toMatch(/^\[\d\d:\d\d:\d\d\] /);
    expect(last()).toBe('INFO: POST /jobs/a 200 12 ms {"requestId":"r-1"}\n');
  });

  it('has of the settings those that were chosen', () => {
    log.info({ settings: { PORT: 4_001, JOB_LIFETIME: '90d', DATABASE_TIMEOUT: '2s' } }, 'starting');
    expect(last()).toBe('INFO: starting {"settings":{"PORT":4001,"DATABASE_TIMEOUT":"2s"}}\n');
  });

  it('has the stack of an error beneath it, and no secret (Contract 11.5)', () => {
    log.error({ err: new Error('mongodb://admin:hunter2@db.example/gateway') }, 'the stop failed');
    expect(last()).toMatch(/^ERROR: the stop failed \n[^]*Error: mongodb:.*\[credentials\]@.*\n +at /);
    expect(last()).not.toContain('hunter2');
  });

  onATerminal.each([
    ['development', 'is text', /^\[\d\d:\d\d:\d\d\] INFO: ready \{"url":"http:\/\/127\.0\.0\.1:\d+"/m],
    ['test', 'is JSON', /^\{"level":30,.*"msg":"ready"\}/m],
  ])('in %s %s', async (environment, _what, ready) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-terminal-'));
    const inherited = { ...process.env };
    delete inherited.MONGODB_URI;
    const child = spawn(script, ['-qefc', 'exec node dist/main.js', '/dev/null'], {
      cwd: root,
      env: {
        ...inherited,
        NODE_OPTIONS: '',
        NO_COLOR: '1',
        DATA_DIR: dataDir,
        PORT: '0',
        NODE_ENV: environment,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let shown = '';
    for await (const text of child.stdout) {
      shown += String(text);
      if (ready.test(shown)) break;
    }
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(shown).toMatch(ready);
    await rm(dataDir, { recursive: true, force: true });
  });
});

import { describe, expect, it } from '@jest/globals';
import { describeSettings, parseSettings, SettingsError } from '../../src/settings/settings.js';
import { settingsTable } from '../../src/settings/settings-table.js';

const secret = 'mongodb://admin:hunter2@db.example/gateway';
const production = {
  NODE_ENV: 'production',
  MONGODB_URI: secret,
  JWT_JWKS_URL: 'https://id.example/keys',
};

function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('without an environment', () => {
  it('every setting has its default (Contract 8.1.1, 8.3.1, 8.3.2, 9.3.5)', () => {
    expect(parseSettings({})).toMatchObject({
      environment: 'development',
      port: 4_000,
      host: '127.0.0.1',
      jobLifetimeMs: 90 * 86_400_000,
      updateJobQuota: { limit: 2, durationSeconds: 1 },
      mutationQuota: { limit: 5, durationSeconds: 1 },
      readQuota: { limit: 50, durationSeconds: 1 },
      authFailureQuota: { limit: 100, durationSeconds: 60 },
      bodyMaxBytes: 1_048_576,
      logoMaxBytes: 5_242_880,
      graphqlMaxDepth: 10,
      trustedProxies: [],
      corsOrigins: [],
    });
  });

  it('the settings are frozen (Contract 9.3.5)', () => {
    expect(Object.isFrozen(parseSettings({}))).toBe(true);
  });

  it.each(['', '   '])('a variable with the value %p counts as unset (Contract 9.3.5)', (text) => {
    const blank = Object.fromEntries(Object.values(settingsTable).map(({ variable }) => [variable, text]));
    expect(parseSettings(blank)).toEqual(parseSettings({}));
  });
});

describe('an invalid environment', () => {
  it('is refused with all its faults, one per line (Contract 9.3.5)', () => {
    expect(
      faultsOf({ PORT: '70000', JOB_LIFETIME: '90', UPDATE_JOB_QUOTA: 'two', LOG_LEVEL: 'loud' }),
    ).toEqual([
      'PORT: expected a whole number from 0 to 65535, not "70000"',
      'JOB_LIFETIME: expected a duration such as 500ms, 5s, 1m, 24h or 90d, of at most 3650d, not "90"',
      'UPDATE_JOB_QUOTA: expected a quota in whole seconds such as 2/1s or 100/1m, of at most 24d, not "two"',
      expect.stringMatching(/^LOG_LEVEL: expected one of .*, not "loud"$/),
    ]);
  });

  it.each([
    [
      { CORS_ORIGINS: 'https://a.example, b.example,https://c.example' },
      /^CORS_ORIGINS: .*, not "b\.example"$/,
    ],
    [{ CORS_ORIGINS: 'https://a@b.example,https://c.example' }, /^CORS_ORIGINS: .*, not the given value$/],
    [{ CORS_ORIGINS: 'https://user:pass,word@c.example' }, /^CORS_ORIGINS: .*, not the given value$/],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33' }, /^TRUSTED_PROXIES: .*, not "10\.0\.0\.0\/33"$/],
  ])('is refused, showing at most the faulty entry of a list: %j (Contract 9.3.5)', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(fault)]);
  });

  it('is refused if a timer would be too long for Node.js (Contract 9.3.5)', () => {
    const longestTimerMs = 2 ** 31 - 1;
    const defaults = parseSettings({});
    const durations = (Object.keys(settingsTable) as (keyof typeof settingsTable)[]).filter((name) =>
      name.endsWith('Ms'),
    );
    expect(durations.length).toBeGreaterThan(3);
    for (const name of durations) {
      const { variable } = settingsTable[name];
      // Lifetimes need no timer.
      if (/_(LIFETIME|RETENTION)$/.test(variable)) continue;
      expect(faultsOf({ [variable]: '145h' })).toEqual([
        `${variable}: expected a duration such as 500ms, 5s, 1m or 24h, of at most 6d, not "145h"`,
      ]);
      const longestMs = Number(parseSettings({ [variable]: '6d' })[name]);
      expect(longestMs).toBeGreaterThan(Number(defaults[name]));
      // Some timers run four times as long as a timeout setting.
      expect(4 * longestMs).toBeLessThanOrEqual(longestTimerMs);
    }
  });

  it('is refused with the name of the faulty variable, unless the variable takes any text (Contract 9.3.5)', () => {
    const anyText = new Set([
      ...['HOST', 'DATA_DIR', 'JWT_PROVIDERS', 'JWT_KEY_FILE', 'JWT_ISSUER', 'JWT_AUDIENCE'],
      ...['TRUSTED_DOCUMENTS'],
    ]);
    for (const { variable } of Object.values(settingsTable)) {
      const [fault = ''] = faultsOf({ [variable]: '\u0000 nonsense' });
      expect(fault.startsWith(`${variable}: expected `)).toBe(!anyText.has(variable));
    }
  });

  it('is refused for TRUSTED_DOCUMENTS_ONLY without TRUSTED_DOCUMENTS (Contract 9.3.5)', () => {
    expect(faultsOf({ TRUSTED_DOCUMENTS_ONLY: 'on' })).toEqual([
      'TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS, the file of the documents that may run',
    ]);
  });

  it('is refused if a browser would resolve PUBLIC_URL relative to the page (Contract 9.3.5)', () => {
    expect(faultsOf({ PUBLIC_URL: 'https:gw.example' })).toEqual([
      expect.stringMatching(/^PUBLIC_URL: expected an http or https URL/),
    ]);
  });

  it('is refused without showing an invalid secret (Contract 9.3.5)', () => {
    const faults = faultsOf({ MONGODB_URI: 'postgres://admin:hunter2@db.example' });
    expect(faults).toEqual(['MONGODB_URI: expected a mongodb:// or mongodb+srv:// URI, not the given value']);
    expect(faultsOf({ JWT_JWKS_URL: 'https://admin:hunter2@id.example/keys' })).toEqual([
      'JWT_JWKS_URL: expected an http or https URL without user, not the given value',
    ]);
    expect(faultsOf({ PUBLIC_URL: 'https://admin:hunter2@gw.example/x?y=1#z' })).toEqual([
      'PUBLIC_URL: expected an http or https URL without user, query and fragment, not the given value',
    ]);
  });
});

describe('production', () => {
  it('needs only a database and keys (Contract 9.3.5)', () => {
    expect(faultsOf(production)).toEqual([]);
    for (const keys of [{ JWT_KEY_FILE: 'keys.json' }, { JWT_PROVIDERS: 'providers.json' }])
      expect(faultsOf({ ...production, JWT_JWKS_URL: '', ...keys })).toEqual([]);
  });

  it('refuses the built-in store and the development key (Contract 3.1.3, 9.3.5)', () => {
    const faults = faultsOf({ NODE_ENV: 'production' });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(/^MONGODB_URI: required/);
    expect(faults[1]).toMatch(/^JWT_PROVIDERS, JWT_JWKS_URL or JWT_KEY_FILE: one is required/);
  });

  it('reports missing and invalid settings together (Contract 9.3.5)', () => {
    expect(faultsOf({ NODE_ENV: 'production', PORT: 'x' })).toHaveLength(3);
  });
});

describe('the log of the settings', () => {
  it('has every setting with a value, and no secret (Contract 9.3.5)', () => {
    const shown = describeSettings(parseSettings(production));
    expect(shown).toMatchObject({ NODE_ENV: 'production', MONGODB_URI: '[redacted]', PORT: 4_000 });
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(shown).not.toHaveProperty('JWT_KEY_FILE');
  });

  it('writes each value as in the environment, with its unit', () => {
    const shown = describeSettings(parseSettings({ REQUEST_TIMEOUT: '90s', BODY_MAX_SIZE: '1536KiB' }));
    expect(shown).toMatchObject({ REQUEST_TIMEOUT: '90s', BODY_MAX_SIZE: '1536KiB' });
    const defaults = Object.values(settingsTable).flatMap((each) =>
      'default' in each && !(each.variable in { REQUEST_TIMEOUT: 0, BODY_MAX_SIZE: 0 })
        ? [[each.variable, each.default]]
        : [],
    );
    expect(defaults.length).toBeGreaterThan(20);
    for (const [variable = '', text] of defaults)
      expect([variable, String(shown[variable])]).toEqual([variable, text]);
  });

  it('redacts every secret setting (Contract 9.3.5)', () => {
    const secrets = Object.values(settingsTable).filter((each) => 'isSecret' in each);
    expect(secrets.map(({ variable }) => variable)).toEqual(['MONGODB_URI', 'JWT_JWKS_URL']);
  });
});

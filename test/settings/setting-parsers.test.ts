import { describe, expect, it } from '@jest/globals';
import {
  parseAddressRange,
  parseAnswerTimeMs,
  parseBytes,
  parseChoice,
  parseDurationMs,
  parseBaseUrl,
  parseHttpUrl,
  parseInteger,
  parseList,
  parseMongodbUri,
  type Parser,
  parseQuota,
  parseTimeoutMs,
} from '../../src/settings/setting-parsers.js';

interface Row {
  parse: Parser<unknown>;
  taken: [text: string, value: unknown][];
  refused: string[];
}

const rows: Record<string, Row> = {
  'a whole number': {
    parse: parseInteger(0, 65_535),
    taken: [
      ['0', 0],
      ['65535', 65_535],
      ['007', 7],
    ],
    refused: ['65536', '-1', '1.5', '1e3', '0x10', '', ' 1', '1 ', '٣', 'NaN'],
  },
  'a duration': {
    parse: parseDurationMs,
    taken: [
      ['500ms', 500],
      ['5s', 5_000],
      ['1m', 60_000],
      ['24h', 86_400_000],
      ['90d', 7_776_000_000],
      ['3650d', 315_360_000_000],
    ],
    refused: [
      '90',
      '0s',
      '-1s',
      '1.5h',
      '1 s',
      '1w',
      '1S',
      '3651d',
      's',
      '1s1m',
      '9'.repeat(400) + 's',
      'toString',
    ],
  },
  'a timeout': {
    parse: parseTimeoutMs,
    taken: [
      ['500ms', 500],
      ['6d', 518_400_000],
    ],
    refused: ['7d', '145h', '518400001ms', '0ms', '30'],
  },
  'the database timeout': {
    parse: parseAnswerTimeMs,
    taken: [
      ['100ms', 100],
      ['6d', 518_400_000],
    ],
    refused: ['1ms', '99ms', '7d'],
  },
  'a quota': {
    parse: parseQuota,
    taken: [
      ['2/1s', { limit: 2, durationSeconds: 1 }],
      ['100/1m', { limit: 100, durationSeconds: 60 }],
      ['1/2000ms', { limit: 1, durationSeconds: 2 }],
    ],
    refused: [
      ...['2', '2/', '/1s', '0/1s', '2/500ms', '2/1500ms', '2/1s/1s', '2 / 1s', '-2/1s', '2/0s', '2.5/1s'],
    ],
  },
  'a size': {
    parse: parseBytes,
    taken: [
      ['512KiB', 524_288],
      ['5MiB', 5_242_880],
      ['1024MiB', 1_073_741_824],
    ],
    refused: ['5', '5MB', '5mib', '0KiB', '-1KiB', '1.5MiB', '1025MiB', '1 MiB', '9999999KiB'],
  },
  'a choice': {
    parse: parseChoice('on', 'off'),
    taken: [['on', 'on']],
    refused: ['ON', '', 'on ', 'yes', 'toString'],
  },
  'an http URL': {
    parse: parseBaseUrl,
    taken: [
      ['https://a.example/', 'https://a.example'],
      ['http://localhost:4000//', 'http://localhost:4000'],
      ['https://a.example/<b>"', 'https://a.example/%3Cb%3E%22'],
    ],
    refused: [
      ...['a.example', 'ftp://a.example', '//a.example', 'https://', 'javascript:alert(1)'],
      ...['https://u:pw@a.example', 'https://a.example/x?y=1', 'https://a.example/x#z'],
    ],
  },
  'a MongoDB URI': {
    parse: parseMongodbUri,
    taken: [
      ['mongodb://a/b', 'mongodb://a/b'],
      ['mongodb+srv://a', 'mongodb+srv://a'],
    ],
    refused: ['http://a', 'mongodb://', 'mongodb', 'postgres://a'],
  },
  'a list of address ranges': {
    parse: parseList(parseAddressRange),
    taken: [
      ['', []],
      ['10.0.0.0/8, ::1,,', ['10.0.0.0/8', '::1']],
      ['fd00::/128,1.2.3.4/32', ['fd00::/128', '1.2.3.4/32']],
      ['fe80::1%eth0/64', ['fe80::1%eth0/64']],
    ],
    refused: [
      '10.0.0.0/33',
      '::1/129',
      '10.0.0',
      'localhost',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '1.2.3.4/x',
      // Fastify throws for these.
      '0.0.0.0/0',
      '::/00',
      'fe80::1%eth0.1',
    ],
  },
};

describe.each(Object.entries(rows))('the parser of %s', (_what, { parse, taken, refused }) => {
  it.each(taken)('accepts %p (Contract 9.3.5)', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each(refused)('rejects %p and says what is expected (Contract 9.3.5)', (text) => {
    expect(() => parse(text)).toThrow(/^expected ./);
  });
});

describe('a URL that the gateway fetches', () => {
  it('keeps its trailing slash (Contract 9.3.5)', () => {
    expect(parseHttpUrl('https://id.example/jwks/')).toBe('https://id.example/jwks/');
  });
});

describe('a quota', () => {
  it('has a window no longer than the longest timer of Node.js (Contract 9.3.5)', () => {
    expect(parseQuota('5/24d')).toEqual({ limit: 5, durationSeconds: 2_073_600 });
    expect(() => parseQuota('5/25d')).toThrow(/of at most 24d/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();

const part = (disposition: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
const operations = part('name="operations"', '{"query":"{ __typename }"}');

describe('a multipart body over GraphQL that breaks off or is no multipart', () => {
  // Its reader reports some of these twice, and what nobody hears the second time would end the process.
  it.each([
    ['ends within a header', '--x\r\nContent-Disposition: form-data; na'],
    ['has a header that is none', '--x\r\nnonsense\r\n\r\nx\r\n--x--\r\n'],
    ['has a header that is none, and breaks off', `${operations}--x\r\n\u0000: \r\n\r\nx`],
    ['has a part without a name', `--x\r\nContent-Type: text/plain\r\n\r\nx\r\n--x--\r\n`],
    ['has operations that are no JSON, and breaks off', part('name="operations"', '{').slice(0, -2)],
    ['has operations that are no JSON, and more', `${part('name="operations"', '{')}${operations}`],
    [
      'ends within a file',
      `${operations}${part('name="map"', '{"0":["variables.a"]}')}--x\r\nContent-Disposition: form-data; name="0"; filename="a"\r\n\r\nhalf`,
    ],
    ['has a file before the map', `${part('name="0"; filename="a"', 'x')}${operations}`],
    ['is empty', ''],
  ])('%s is refused, and the gateway lives on (Contract 4.3.5)', async (_what, body) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
      body,
    });
    expect(response.status).toBeLessThan(500);
    await response.text();
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });
});

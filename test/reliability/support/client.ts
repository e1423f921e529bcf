import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { type Socket } from 'node:net';

const longestWaitMs = 15_000;

export interface Outcome {
  /** Null if no reply came. */
  status: number | null;
  headers: IncomingHttpHeaders;
  body: string;
  /** The socket error if no reply came. */
  failure: string | null;
  /** Whether an earlier request opened the connection. */
  isReused: boolean;
  path: string;
  startedMs: number;
  ms: number;
}

/** Keeps its connections, as a customer's server does, and never sends a request twice. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly sockets = new WeakSet<Socket>();

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  updateJob(job: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams({
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      ...fields,
    }).toString();
    return this.send('POST', `/jobs/${job}`, body, {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });
  }

  updateCompany(fields: Record<string, string>, headers: Record<string, string> = {}, publicId = 'acme') {
    const body = new URLSearchParams({ media_public_id: 'demo-media', ...fields }).toString();
    return this.send('PATCH', `/companies?company-public-id=${publicId}`, body, {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });
  }

  createJob(fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.send('POST', '/jobs', new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });
  }

  readJob(job: string) {
    const query = 'query ($id: String!) { job(publicId: $id) { publicId salary state version } }';
    return this.send('POST', '/graphql', JSON.stringify({ query, variables: { id: job } }), {
      'content-type': 'application/json',
    });
  }

  get = (path: string) => this.send('GET', path);

  send(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<Outcome> {
    const startedMs = performance.now();
    return new Promise((resolve) => {
      const sent = request(
        this.url + path,
        {
          method,
          agent: this.agent,
          headers: {
            authorization: `Bearer ${this.token}`,
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.once('error', (error: NodeJS.ErrnoException) => settle(null, {}, text, error.code));
          response.once('end', () => settle(response.statusCode ?? null, response.headers, text, undefined));
        },
      );
      const settle = (
        status: number | null,
        replyHeaders: IncomingHttpHeaders,
        text: string,
        failure: string | undefined,
      ) =>
        resolve({
          status,
          headers: replyHeaders,
          body: text,
          failure: failure ?? null,
          isReused,
          path,
          startedMs,
          ms: performance.now() - startedMs,
        });
      sent.once('error', (error: NodeJS.ErrnoException) => settle(null, {}, '', error.code ?? error.message));
      // Node.js does not set `reusedSocket` if the agent passes a connection straight to a waiting request.
      let isReused = false;
      sent.once('socket', (socket) => {
        isReused = this.sockets.has(socket);
        this.sockets.add(socket);
      });
      sent.setTimeout(longestWaitMs, () => sent.destroy(new Error('no answer')));
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

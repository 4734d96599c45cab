// A QStash service on loopback, with one account: the routes that schedules need, and faults.
import { createHash, randomUUID } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { type LogLine, FakeQstashAccount, type FakeQstashAccountOptions, Refused } from './fake-qstash-account.ts';

export interface QstashServerOptions extends FakeQstashAccountOptions {
  token: string;
}

export interface Received {
  /** Such as `GET /v2/schedules`. */
  route: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * A replacement for the response: another one, none, or a broken connection before or after the request is carried out.
 */
export type Fault = Answer | 'silence' | 'broken' | 'broken-after';

export class QstashServer {
  readonly account: FakeQstashAccount;
  readonly received: Received[] = [];
  readonly #token: string;
  readonly #server: Server;
  readonly #deduplicated = new Map<string, string>();
  #faults: { fault: Fault; times: number; method: string | undefined; path: string | undefined } | undefined;
  #url = '';

  private constructor({ token, ...options }: QstashServerOptions) {
    this.#token = token;
    this.account = new FakeQstashAccount(options);
    this.#server = createServer((req, res) => {
      void this.#serve(req, res);
    });
  }

  static async start(options: QstashServerOptions): Promise<QstashServer> {
    const qstash = new QstashServer(options);
    await new Promise<void>((resolve) => {
      qstash.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = qstash.#server.address();
    qstash.#url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    return qstash;
  }

  get url(): string {
    return this.#url;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.#server.closeAllConnections();
    await closed;
  }

  /** The number of requests to this route, or of all requests. */
  count(route?: string): number {
    return this.received.filter((request) => route === undefined || request.route === route).length;
  }

  /** Fails requests until it recovers or `times` is reached; all requests, or those with this method or path. */
  fail(fault: Fault, times = Number.POSITIVE_INFINITY, method?: string, path?: string): void {
    this.#faults = { fault, times, method, path };
  }

  recover(): void {
    this.#faults = undefined;
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const request = readRequest(req, Buffer.concat(chunks).toString());
    this.received.push(request);
    const fault = this.#nextFault(request);
    if (fault === 'silence') return;
    const isDone = fault === undefined || fault === 'broken-after';
    const answer = isDone ? this.#answer(request) : fault;
    if (fault === 'broken-after' || answer === 'broken') req.socket.destroy();
    else {
      res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      res.end(answer.body ?? '');
    }
  }

  #nextFault({ method, path }: Received): Fault | undefined {
    const faults = this.#faults;
    if (!faults || faults.times <= 0 || (faults.method ?? method) !== method) return undefined;
    if ((faults.path ?? path) !== path) return undefined;
    faults.times -= 1;
    return faults.fault;
  }

  #answer(request: Received): Answer {
    try {
      if (request.headers.authorization !== `Bearer ${this.#token}`) throw new Refused(401, 'unauthorized');
      const [status, body] = this.#route(request);
      return body === undefined ? { status } : { status, body: JSON.stringify(body) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: JSON.stringify({ error: error.message }) };
    }
  }

  #route(request: Received): [status: number, body?: unknown] {
    const { account } = this;
    const [, kind = '', rest = ''] = /^\/v2\/([a-z]+)\/?(.*)$/.exec(request.path) ?? [];
    const [id = '', action] = rest.split('/');
    switch (`${request.method} ${kind}`) {
      case 'POST schedules':
        return [201, { scheduleId: this.#create(rest, request) }];
      case 'GET schedules':
        return [200, id === '' ? [...account.schedules.values()] : account.schedule(id)];
      case 'DELETE schedules':
        account.schedules.delete(account.schedule(id).scheduleId);
        return [200];
      case 'PATCH schedules':
        account.schedule(id).isPaused = action === 'pause';
        return [200];
      case 'POST publish':
        return this.#publish(rest, request);
      case 'GET messages':
        return [200, account.message(id)];
      case 'DELETE messages':
        // Without an id, the service would cancel all messages.
        if (id === '') throw new Error('No test wants that.');
        account.cancel(id);
        return [200, { cancelled: 1 }];
      case 'GET dlq':
        return [200, { messages: account.dead.filter(isWanted(request.query)) }];
      case 'POST dlq':
        for (const { dlqId, url, body = '' } of account.takeDead(request.query.getAll('dlqIds'))) {
          account.addMessage({ url, notBefore: 0, body, label: dlqId });
        }
        return [200, { responses: [] }];
      case 'DELETE dlq':
        return [200, { deleted: account.takeDead(request.query.getAll('dlqIds')).length }];
      case 'GET events':
        return [200, this.#logPage(request.query)];
      default:
        throw new Refused(404, `${request.route} not found`);
    }
  }

  #create(destination: string, { headers, body }: Received): string {
    checkDestination(destination);
    const given = headers['upstash-schedule-id'];
    if (typeof given === 'string' && !/^[\w.-]+$/.test(given)) {
      throw new Refused(400, 'scheduleId can only contain alphanumeric characters');
    }
    const { scheduleId } = this.account.addSchedule({
      ...(typeof given === 'string' && { scheduleId: given }),
      destination,
      cron: String(headers['upstash-cron'] ?? '').trim(),
      header: forwarded(headers),
      ...labelsIn(headers),
      ...(body !== '' && { body }),
    });
    return scheduleId;
  }

  #publish(url: string, { headers, body }: Received): [status: number, body: unknown] {
    checkDestination(url);
    const deduplicationId = String(headers['upstash-deduplication-id'] ?? randomUUID());
    const known = this.#deduplicated.get(deduplicationId);
    if (known !== undefined) return [202, { messageId: known, deduplicated: true }];
    const notBefore = Number(headers['upstash-not-before'] ?? 0) * 1000;
    const header = forwarded(headers);
    const { messageId } = this.account.addMessage({ url, notBefore, header, body, ...labelsIn(headers) });
    this.#deduplicated.set(deduplicationId, messageId);
    return [201, { messageId }];
  }

  #logPage(query: URLSearchParams): { events: LogLine[]; cursor?: string } {
    const wanted = query.getAll('label');
    const url = query.get('url');
    const log = this.account.log.filter((line) => url === null || line.url === url);
    const lines = wanted.length === 0 ? log : log.filter(({ labels }) => labels?.some((each) => wanted.includes(each)));
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Math.min(Number(query.get('count') ?? 100), 100);
    return { events: lines.slice(start, end), ...(end < lines.length && { cursor: String(end) }) };
  }
}

function isWanted(query: URLSearchParams): (dead: { dlqId: string; url: string }) => boolean {
  const [ids, url] = [query.getAll('dlqIds'), query.get('url')];
  return (dead) => (ids.length === 0 || ids.includes(dead.dlqId)) && (url === null || dead.url === url);
}

function readRequest(req: IncomingMessage, body: string): Received {
  const [path = '', search = ''] = (req.url ?? '').split('?', 2);
  const method = req.method ?? '';
  return { route: `${method} ${path}`, method, path, query: new URLSearchParams(search), headers: req.headers, body };
}

function checkDestination(destination: string): void {
  if (!/^https?:\/\//.test(destination)) {
    throw new Refused(400, 'invalid destination url: endpoint has invalid scheme, add http:// or https://');
  }
}

/** The headers that are forwarded to the destination; redacted ones are replaced by their digest. */
function forwarded(headers: IncomingHttpHeaders): Record<string, string[]> {
  const redacted = String(headers['upstash-redact-fields'] ?? '').toLowerCase();
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string[]][] => {
    const plain = name === 'content-type' ? name : /^upstash-forward-(.+)$/.exec(name)?.[1];
    if (plain === undefined) return [];
    const digest = createHash('sha256').update(String(value)).digest('hex');
    const shown = redacted.includes(`header[${plain}]`) ? `REDACTED:${digest}` : String(value);
    return [[plain.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), [shown]]];
  });
  return Object.fromEntries(pairs);
}

function labelsIn(headers: IncomingHttpHeaders): { label?: string; labels?: string[] } {
  const labels = String(headers['upstash-label'] ?? '')
    .split(',')
    .filter((label) => label !== '');
  const [label] = labels;
  return label === undefined ? {} : { label, labels };
}

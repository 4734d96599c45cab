// A QStash account on loopback: the routes and shapes of the real service, as its SDK and its OpenAPI
// description have them, with what only tests need: changes made elsewhere, faults, and a log that is late.
import { createHash, randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { Cron } from 'croner';

export interface StoredSchedule {
  scheduleId: string;
  cron: string;
  destination: string;
  createdAt: number;
  method: string;
  header: Record<string, string[]>;
  body?: string;
  bodyBase64?: string;
  retries: number;
  isPaused: boolean;
  label?: string;
  labels?: string[];
  lastScheduleTime?: number;
  nextScheduleTime?: number;
  lastScheduleStates?: Record<string, 'IN_PROGRESS' | 'SUCCESS' | 'FAIL'>;
}

export interface StoredMessage {
  messageId: string;
  url: string;
  method: string;
  header: Record<string, string[]>;
  body: string;
  maxRetries: number;
  notBefore: number;
  createdAt: number;
  label?: string;
  labels?: string[];
}

interface LogLine {
  time: number;
  messageId: string;
  state: string;
  url: string;
  header: Record<string, string[]>;
  body: string;
  nextDeliveryTime?: number;
  error?: string;
  label?: string;
  labels?: string[];
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

/** An answer instead of the right one, no answer at all, or a connection that breaks (before or after the deed). */
export type Fault =
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'silence'
  | 'broken'
  | 'broken-after';

export interface QstashServerOptions {
  token: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Whether schedules say when they come next. */
  givesTimes?: boolean;
  maxSchedules?: number;
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class QstashServer {
  readonly token: string;
  readonly received: Received[] = [];
  readonly schedules = new Map<string, StoredSchedule>();
  readonly messages = new Map<string, StoredMessage>();
  readonly #server: Server;
  readonly #now: () => number;
  readonly #givesTimes: boolean;
  readonly #maxSchedules: number;
  readonly #deduplicated = new Map<string, string>();
  /** Newest first. */
  readonly #log: LogLine[] = [];
  #lateLines: LogLine[] | undefined;
  #faults: { fault: Fault; times: number } | undefined;
  #url = '';

  private constructor({ token, now = Date.now, givesTimes = true, maxSchedules = 1000 }: QstashServerOptions) {
    this.token = token;
    this.#now = now;
    this.#givesTimes = givesTimes;
    this.#maxSchedules = maxSchedules;
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

  /** How often this route was asked for; all of them without a route. */
  count(route?: string): number {
    return this.received.filter((request) => route === undefined || request.route === route).length;
  }

  fail(fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#faults = { fault, times };
  }

  recover(): void {
    this.#faults = undefined;
  }

  /** From now on the log does not show what happens, until it catches up. */
  delayLog(): void {
    this.#lateLines = [];
  }

  catchUp(): void {
    this.#log.unshift(...(this.#lateLines ?? []));
    this.#lateLines = undefined;
  }

  /** As when the account's retention has passed. */
  forgetLog(): void {
    this.#log.length = 0;
  }

  /** A schedule that somebody else made. */
  addSchedule(given: { destination: string; cron: string } & Partial<StoredSchedule>): StoredSchedule {
    const schedule: StoredSchedule = {
      scheduleId: `scd_${randomUUID().replaceAll('-', '')}`,
      createdAt: this.#now(),
      method: 'POST',
      header: {},
      retries: 3,
      isPaused: false,
      ...given,
    };
    this.#arrange(schedule);
    this.schedules.set(schedule.scheduleId, schedule);
    return schedule;
  }

  /** The cron trigger of a schedule. */
  fire(scheduleId: string, outcome: 'IN_PROGRESS' | 'SUCCESS' | 'FAIL' = 'SUCCESS'): void {
    const schedule = this.#schedule(scheduleId);
    schedule.lastScheduleTime = this.#now();
    schedule.lastScheduleStates = { [`msg_${randomUUID()}`]: outcome };
    this.#arrange(schedule);
  }

  deliver(messageId: string): void {
    const message = this.#message(messageId);
    this.#write(message, 'ACTIVE');
    this.#write(message, 'DELIVERED');
    this.messages.delete(messageId);
  }

  failDelivery(messageId: string, error: string, isLast: boolean): void {
    const message = this.#message(messageId);
    this.#write(message, 'ACTIVE');
    this.#write(message, 'ERROR', { error });
    this.#write(message, isLast ? 'FAILED' : 'RETRY', isLast ? {} : { nextDeliveryTime: this.#now() + 12_000 });
    if (isLast) this.messages.delete(messageId);
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const request = readRequest(req, Buffer.concat(chunks).toString());
    this.received.push(request);
    const fault = this.#nextFault();
    if (fault === 'silence') return;
    if (fault === 'broken') {
      req.socket.destroy();
      return;
    }
    const answer = typeof fault === 'object' ? fault : this.#answer(request);
    if (fault === 'broken-after') {
      req.socket.destroy();
      return;
    }
    res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    res.end(answer.body ?? '');
  }

  #nextFault(): Fault | undefined {
    if (!this.#faults || this.#faults.times <= 0) return undefined;
    this.#faults.times -= 1;
    return this.#faults.fault;
  }

  #answer(request: Received): { status: number; body?: string; headers?: Record<string, string> } {
    try {
      if (request.headers.authorization !== `Bearer ${this.token}`) throw new Refused(401, 'unauthorized');
      const [status, body] = this.#route(request);
      return body === undefined ? { status } : { status, body: JSON.stringify(body) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: JSON.stringify({ error: error.message }) };
    }
  }

  #route(request: Received): [status: number, body?: unknown] {
    const { method, path } = request;
    const [, kind = '', rest = ''] = /^\/v2\/([a-z]+)\/?(.*)$/.exec(path) ?? [];
    const [id = '', action] = rest.split('/');
    switch (`${method} ${kind}`) {
      case 'POST schedules':
        return [201, { scheduleId: this.#create(rest, request) }];
      case 'GET schedules':
        return [200, id === '' ? [...this.schedules.values()] : this.#schedule(id)];
      case 'DELETE schedules':
        this.schedules.delete(this.#schedule(id).scheduleId);
        return [200];
      case 'PATCH schedules':
        this.#schedule(id).isPaused = action === 'pause';
        return [200];
      case 'POST publish':
        return this.#publish(rest, request);
      case 'GET messages':
        return [200, this.#message(id)];
      case 'DELETE messages':
        if (id === '') throw new Error('Every message of the account would have been cancelled.');
        this.#write(this.#message(id), 'CANCEL_REQUESTED');
        this.messages.delete(id);
        return [200, { cancelled: 1 }];
      case 'GET events':
        return [200, this.#logPage(request.query)];
      default:
        throw new Refused(404, `${method} ${path} not found`);
    }
  }

  #create(destination: string, { headers, body }: Received): string {
    checkDestination(destination);
    const cron = String(headers['upstash-cron'] ?? '').trim();
    readCron(cron);
    const given = headers['upstash-schedule-id'];
    const scheduleId = typeof given === 'string' ? given : `scd_${randomUUID().replaceAll('-', '')}`;
    if (!/^[\w.-]+$/.test(scheduleId)) throw new Refused(400, 'scheduleId can only contain alphanumeric characters');
    const isNew = !this.schedules.has(scheduleId);
    if (isNew && this.schedules.size >= this.#maxSchedules) {
      throw new Refused(412, 'Exceeded the maximum number of schedules allowed');
    }
    this.addSchedule({ scheduleId, destination, cron, header: forwarded(headers), ...labelsIn(headers), ...(body && { body }) });
    return scheduleId;
  }

  #publish(url: string, { headers, body }: Received): [status: number, body: unknown] {
    checkDestination(url);
    const deduplicationId = String(headers['upstash-deduplication-id'] ?? randomUUID());
    const known = this.#deduplicated.get(deduplicationId);
    if (known !== undefined) return [202, { messageId: known, deduplicated: true }];
    const message: StoredMessage = {
      messageId: `msg_${randomUUID().replaceAll('-', '')}`,
      url,
      method: 'POST',
      header: forwarded(headers),
      body,
      maxRetries: 3,
      notBefore: Number(headers['upstash-not-before'] ?? 0) * 1000,
      createdAt: this.#now(),
      ...labelsIn(headers),
    };
    this.#deduplicated.set(deduplicationId, message.messageId);
    this.messages.set(message.messageId, message);
    this.#write(message, 'CREATED', { nextDeliveryTime: message.notBefore });
    return [201, { messageId: message.messageId }];
  }

  #logPage(query: URLSearchParams): { events: LogLine[]; cursor?: string } {
    const labels = query.getAll('label');
    const lines = this.#log.filter((line) => labels.length === 0 || labels.some((label) => line.labels?.includes(label)));
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Math.min(Number(query.get('count') ?? 100), 100);
    return { events: lines.slice(start, end), ...(end < lines.length && { cursor: String(end) }) };
  }

  #write(message: StoredMessage, state: string, more: Partial<LogLine> = {}): void {
    const { messageId, url, header, body, label, labels } = message;
    const line: LogLine = {
      time: this.#now(),
      messageId,
      state,
      url,
      header,
      body: Buffer.from(body).toString('base64'),
      ...(label !== undefined && { label }),
      ...(labels && { labels }),
      ...more,
    };
    (this.#lateLines ?? this.#log).unshift(line);
  }

  /** When it comes next. */
  #arrange(schedule: StoredSchedule): void {
    const next = readCron(schedule.cron)?.nextRun(new Date(this.#now()));
    if (this.#givesTimes && next) schedule.nextScheduleTime = next.getTime();
  }

  #schedule(id: string): StoredSchedule {
    const schedule = this.schedules.get(id);
    if (!schedule) throw new Refused(404, `schedule ${id} not found`);
    return schedule;
  }

  #message(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (!message) throw new Refused(404, `message ${id} not found`);
    return message;
  }
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

/** `@every 1h` is a cron expression to QStash, though not to croner. */
function readCron(cron: string): Cron | undefined {
  const [, timezone = 'UTC', expression = ''] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/.exec(cron) ?? [];
  if (/^@every \d+[smh]$/.test(expression)) return undefined;
  try {
    return new Cron(expression, { timezone, mode: '5-part' });
  } catch {
    throw new Refused(400, `Invalid cron expression ${expression}`);
  }
}

/** The headers as they go on to the destination; those to be redacted show only their digest. */
function forwarded(headers: IncomingHttpHeaders): Record<string, string[]> {
  const redacted = String(headers['upstash-redact-fields'] ?? '').toLowerCase();
  const pairs = Object.entries(headers).flatMap(([name, value]) => {
    const plain = name === 'content-type' ? name : /^upstash-forward-(.+)$/.exec(name)?.[1];
    if (plain === undefined) return [];
    const isRedacted = redacted.includes(`header[${plain}]`);
    const shown = isRedacted ? `REDACTED:${createHash('sha256').update(String(value)).digest('hex')}` : String(value);
    return [[plain.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), [shown]] as const];
  });
  return Object.fromEntries(pairs);
}

function labelsIn(headers: IncomingHttpHeaders): { label?: string; labels?: string[] } {
  const labels = String(headers['upstash-label'] ?? '').split(',').filter((label) => label !== '');
  const [label] = labels;
  return label === undefined ? {} : { label, labels };
}

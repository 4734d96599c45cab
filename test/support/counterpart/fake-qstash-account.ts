// The content of a QStash account, in the shapes of the real service according to its SDK and OpenAPI description.
// Tests change it directly, as another program would.
import { randomUUID } from 'node:crypto';
import { nextOccurrence } from '../../../packages/schedules/src/model/cron.ts';

type Header = Record<string, string[]>;
type DeliveryState = 'IN_PROGRESS' | 'SUCCESS' | 'FAIL';

export interface StoredSchedule {
  scheduleId: string;
  cron: string;
  destination: string;
  createdAt: number;
  method: string;
  header: Header;
  body?: string;
  bodyBase64?: string;
  retries: number;
  isPaused: boolean;
  label?: string;
  labels?: string[];
  lastScheduleTime?: number;
  nextScheduleTime?: number;
  lastScheduleStates?: Record<string, DeliveryState>;
}

export interface StoredMessage {
  messageId: string;
  url: string;
  method: string;
  header: Header;
  body: string;
  maxRetries: number;
  notBefore: number;
  createdAt: number;
  label?: string;
  labels?: string[];
}

export interface LogLine {
  time: number;
  messageId: string;
  state: string;
  url: string;
  header: Header;
  /** Base64. */
  body: string;
  nextDeliveryTime?: number;
  error?: string;
  label?: string;
  labels?: string[];
}

export interface FakeQstashAccountOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Whether schedules have the time of their next delivery. */
  givesTimes?: boolean;
  maxSchedules?: number;
}

/** An error response of the service. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class FakeQstashAccount {
  readonly schedules = new Map<string, StoredSchedule>();
  readonly messages = new Map<string, StoredMessage>();
  /** Newest first. */
  readonly log: LogLine[] = [];
  /** Messages that could not be delivered. */
  readonly dead: {
    dlqId: string;
    messageId: string;
    url: string;
    body?: string;
    createdAt: number;
    responseStatus: number;
  }[] = [];
  readonly #now: () => number;
  readonly #givesTimes: boolean;
  readonly #maxSchedules: number;
  #late: LogLine[] | undefined;

  constructor({ now = Date.now, givesTimes = true, maxSchedules = 1000 }: FakeQstashAccountOptions = {}) {
    this.#now = now;
    this.#givesTimes = givesTimes;
    this.#maxSchedules = maxSchedules;
  }

  /** A schedule with an existing id replaces the earlier one. */
  addSchedule(given: { destination: string; cron: string } & Partial<StoredSchedule>): StoredSchedule {
    const schedule: StoredSchedule = {
      scheduleId: newId('scd'),
      createdAt: this.#now(),
      method: 'POST',
      header: {},
      retries: 3,
      isPaused: false,
      ...given,
    };
    if (!this.schedules.has(schedule.scheduleId) && this.schedules.size >= this.#maxSchedules) {
      throw new Refused(412, 'Exceeded the maximum number of schedules allowed');
    }
    this.#arrange(schedule);
    this.schedules.set(schedule.scheduleId, schedule);
    return schedule;
  }

  addMessage(given: { url: string; notBefore: number } & Partial<StoredMessage>): StoredMessage {
    const message: StoredMessage = {
      messageId: newId('msg'),
      method: 'POST',
      header: {},
      body: '',
      maxRetries: 3,
      createdAt: this.#now(),
      ...given,
    };
    this.messages.set(message.messageId, message);
    this.#write(message, 'CREATED', { nextDeliveryTime: message.notBefore });
    return message;
  }

  schedule(id: string): StoredSchedule {
    const schedule = this.schedules.get(id);
    if (!schedule) throw new Refused(404, `schedule ${id} not found`);
    return schedule;
  }

  message(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (!message) throw new Refused(404, `message ${id} not found`);
    return message;
  }

  /** Triggers a schedule, as its cron expression would. */
  fire(scheduleId: string, outcome: DeliveryState = 'SUCCESS'): void {
    const schedule = this.schedule(scheduleId);
    schedule.lastScheduleTime = this.#now();
    schedule.lastScheduleStates = { [newId('msg')]: outcome };
    this.#arrange(schedule);
  }

  deliver(messageId: string): void {
    const message = this.message(messageId);
    this.#write(message, 'ACTIVE');
    this.#write(message, 'DELIVERED');
    this.messages.delete(messageId);
  }

  failDelivery(messageId: string, error: string, isLast: boolean): void {
    const message = this.message(messageId);
    this.#write(message, 'ACTIVE');
    this.#write(message, 'ERROR', { error });
    this.#write(message, isLast ? 'FAILED' : 'RETRY', isLast ? {} : { nextDeliveryTime: this.#now() + 12_000 });
    if (!isLast) return;
    this.messages.delete(messageId);
    const { url, body, createdAt } = message;
    const dlqId = `${this.#now()}-${this.dead.length}`;
    this.dead.push({ dlqId, messageId, url, body, createdAt, responseStatus: 503 });
  }

  takeDead(ids: readonly string[]): FakeQstashAccount['dead'] {
    const taken = this.dead.filter(({ dlqId }) => ids.includes(dlqId));
    for (const each of taken) this.dead.splice(this.dead.indexOf(each), 1);
    return taken;
  }

  cancel(messageId: string): void {
    this.#write(this.message(messageId), 'CANCEL_REQUESTED');
    this.messages.delete(messageId);
  }

  /** From now on the log does not grow, until it catches up. */
  delayLog(): void {
    this.#late = [];
  }

  catchUp(): void {
    this.log.unshift(...(this.#late ?? []));
    this.#late = undefined;
  }

  /** Clears the log, as after the account's retention time. */
  forgetLog(): void {
    this.log.length = 0;
  }

  #write(message: StoredMessage, state: string, more: Partial<LogLine> = {}): void {
    const { messageId, url, header, body, label, labels } = message;
    (this.#late ?? this.log).unshift({
      time: this.#now(),
      messageId,
      state,
      url,
      header,
      body: Buffer.from(body).toString('base64'),
      ...(label !== undefined && { label }),
      ...(labels && { labels }),
      ...more,
    });
  }

  #arrange(schedule: StoredSchedule): void {
    const next = nextTime(schedule.cron, new Date(this.#now()));
    if (this.#givesTimes && next) schedule.nextScheduleTime = next.getTime();
  }
}

function newId(kind: 'scd' | 'msg'): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`;
}

/** `@every 1h` is a cron expression of QStash; our parser has no such form. */
function nextTime(cron: string, after: Date): Date | undefined {
  const [, timezone = 'UTC', expression = ''] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/.exec(cron) ?? [];
  if (/^@every \d+[smh]$/.test(expression)) return undefined;
  try {
    return nextOccurrence(expression, timezone, after);
  } catch {
    throw new Refused(400, `Invalid cron expression ${expression}`);
  }
}

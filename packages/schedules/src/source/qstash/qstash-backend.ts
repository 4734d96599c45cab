// Schedules in a QStash account, which also sends them. Nothing is kept here: every read asks QStash, and
// changes that others make there are found by polling while a topic is watched.
import { type ChangeFeed, type Clock, LiveError, type Log, MemoryFeed } from '@tidings/live';
import { nextOccurrence } from '../../model/cron.ts';
import { quoted } from '../../model/refusal.ts';
import type { CronRequest, OneOff, OneOffRequest, Schedule, TopicContent } from '../../model/schedule.ts';
import type { Push, ScheduleBackend } from '../backend.ts';
import type { Notifier } from '../notifier.ts';
import { LastSight } from './last-sight.ts';
import { NtfyAddress } from './ntfy-address.ts';
import { readLog } from './one-off-log.ts';
import { OwnOneOffs } from './own-one-offs.ts';
import { Poll } from './poll.ts';
import { QstashAccount } from './qstash-account.ts';
import { QstashRequests } from './qstash-requests.ts';
import { checkToken, checkUrl } from './qstash-settings.ts';
import { readEntry } from './schedule-entry.ts';
import { topicContents } from './topic-contents.ts';

export interface QstashBackendOptions {
  /** QSTASH_TOKEN. */
  token: string;
  /** QSTASH_URL. Default: the service itself. */
  url?: string | undefined;
  /** Where QStash shall send notifications. It has to reach it: an address of this machine will not do. */
  ntfyUrl: string;
  /** QStash keeps it with every schedule, to send it along. */
  ntfyToken?: string | undefined;
  /** Sends at once, without QStash. */
  notifier: Notifier;
  clock: Clock;
  log: Log;
  /** How often to poll for changes made elsewhere, while a topic is watched. */
  pollMs?: number | undefined;
  /** How long QStash may take for an answer. */
  timeoutMs?: number | undefined;
  random?: (() => number) | undefined;
  fetch?: typeof fetch | undefined;
}

export function openQstashBackend(options: QstashBackendOptions): ScheduleBackend {
  return new QstashBackend(options);
}

const defaultUrl = 'https://qstash.upstash.io';

class QstashBackend implements ScheduleBackend {
  readonly destination: string;
  readonly #feed = new MemoryFeed();
  readonly #notifier: Notifier;
  readonly #clock: Clock;
  readonly #ntfy: NtfyAddress;
  readonly #requests: QstashRequests;
  readonly #account: QstashAccount;
  readonly #poll: Poll;
  readonly #sight = new LastSight();
  readonly #own = new OwnOneOffs();
  /** Looks and changes in the order they began and were done: an older look says nothing about a newer state. */
  #turn = 0;
  #newest = 0;

  constructor(options: QstashBackendOptions) {
    const { notifier, clock, log, pollMs = 15_000, timeoutMs = 10_000, random = Math.random } = options;
    const token = checkToken('QSTASH_TOKEN', options.token);
    const ntfyToken = options.ntfyToken ? checkToken('The token for ntfy', options.ntfyToken) : undefined;
    const url = checkUrl('QSTASH_URL', options.url || defaultUrl);
    const ntfy = new NtfyAddress(checkUrl('TIDINGS_NTFY_URL', options.ntfyUrl));
    const secrets = ntfyToken ? [ntfyToken] : [];
    this.#notifier = notifier;
    this.#clock = clock;
    this.#ntfy = ntfy;
    this.#requests = new QstashRequests({ url, token, secrets, timeoutMs, clock, fetch: options.fetch ?? fetch });
    this.#account = new QstashAccount({ requests: this.#requests, ntfy, ntfyToken });
    this.#poll = new Poll({ look: () => this.#look(), pollMs, clock, random, log });
    this.destination =
      `ntfy at ${ntfy.base}, sent by QStash (${this.#requests.origin}). Waiting one-offs are listed from its log, ` +
      'which can forget them before they are due; they are sent all the same.';
  }

  get feed(): ChangeFeed {
    return this.#feed;
  }

  async read(topic: string): Promise<TopicContent> {
    const contents = await this.#look();
    return contents.find((content) => content.topic === topic) ?? { topic, schedules: [], pending: [] };
  }

  async topics(): Promise<string[]> {
    return (await this.#look()).map(({ topic }) => topic);
  }

  async list(topic?: string): Promise<TopicContent[]> {
    return topic === undefined ? this.#look() : [await this.read(topic)];
  }

  async addCron(request: CronRequest): Promise<Schedule> {
    const { topic, message, cron, timezone, label = null } = request;
    const id = await this.#account.create(request);
    this.#changed(topic);
    const next = nextOccurrence(cron, timezone, new Date(this.#clock.date()));
    return {
      schedule_id: id,
      cron_expression: cron,
      timezone,
      status: 'active',
      label,
      notification_body: message,
      next_occurrence: next?.toISOString() ?? null,
      last_occurrence: null,
    };
  }

  async addOneOff(request: OneOffRequest): Promise<OneOff> {
    // QStash counts in seconds. Rather a moment late than early.
    const dueSeconds = Math.ceil(request.due / 1000);
    const id = await this.#account.publish(request, dueSeconds);
    const oneOff: OneOff = {
      notification_id: id,
      notification_body: request.message,
      due: new Date(dueSeconds * 1000).toISOString(),
      status: 'pending',
    };
    this.#own.made(request.topic, oneOff);
    this.#changed(request.topic);
    return oneOff;
  }

  pause(scheduleId: string): Promise<string> {
    return this.#setStatus(scheduleId, 'paused');
  }

  resume(scheduleId: string): Promise<string> {
    return this.#setStatus(scheduleId, 'active');
  }

  async remove(id: string): Promise<string> {
    const topic = isMessageId(id) ? await this.#cancel(id) : await this.#delete(id);
    this.#changed(topic);
    // It may have been the topic's last.
    this.#poll.look();
    return topic;
  }

  send(push: Push): Promise<void> {
    return this.#notifier(push);
  }

  watch(topic: string): () => void {
    return this.#poll.watch(topic);
  }

  async close(): Promise<void> {
    this.#requests.close();
    await this.#poll.close();
  }

  /** Everything that is there now. Differences to the last time are announced. */
  async #look(): Promise<TopicContent[]> {
    const turn = (this.#turn += 1);
    const [entries, log] = await Promise.all([this.#account.schedules(), this.#account.oneOffLog()]);
    const now = this.#clock.date();
    const schedules = entries.flatMap((entry) => readEntry(entry, this.#ntfy, new Date(now)) ?? []);
    const contents = topicContents(schedules, this.#own.join(readLog(log, this.#ntfy), now));
    if (turn > this.#newest) {
      this.#newest = turn;
      this.#announce(this.#sight.compare(contents, this.#poll.watched));
    }
    return contents;
  }

  /** QStash has answered, so a read from now on finds it. */
  #changed(topic: string): void {
    this.#newest = this.#turn += 1;
    this.#announce(this.#sight.changed(topic));
    if (this.#poll.isWatched) this.#poll.look();
  }

  #announce(topics: readonly string[]): void {
    if (topics.length > 0) this.#feed.announce(topics);
  }

  async #setStatus(id: string, status: Schedule['status']): Promise<string> {
    if (isMessageId(id)) {
      throw new LiveError(
        'INVALID_PARAMS',
        `${quoted(id)} is a one-off notification, and only schedules can be paused. Use delete_schedule to take it back.`,
      );
    }
    const { topic, schedule } = await this.#lookUp(id);
    const isThere = status === 'paused' ? await this.#account.pause(id) : await this.#account.resume(id);
    if (!isThere) throw noSchedule(id);
    if (schedule.status !== status) this.#changed(topic);
    return topic;
  }

  async #delete(id: string): Promise<string> {
    const { topic } = await this.#lookUp(id);
    // If it is deleted already, the goal is reached.
    await this.#account.delete(id);
    return topic;
  }

  async #cancel(id: string): Promise<string> {
    const url = isId(id) ? await this.#account.messageUrl(id) : undefined;
    const topic = this.#ntfy.topicAt(url ?? '');
    if (topic === undefined || !(await this.#account.cancel(id))) {
      throw new LiveError(
        'RESOURCE_NOT_FOUND',
        `No notification with the id ${quoted(id)} is waiting: it was delivered or deleted, or never was.`,
      );
    }
    this.#sight.met(topic);
    this.#own.cancelled(id, this.#clock.date());
    return topic;
  }

  /** Called before a deletion: afterwards the topic cannot be found. */
  async #lookUp(id: string) {
    const entry = isId(id) ? await this.#account.schedule(id) : undefined;
    const found = entry && readEntry(entry, this.#ntfy, new Date(this.#clock.date()));
    if (!found) throw noSchedule(id);
    this.#sight.met(found.topic);
    return found;
  }
}

/** The SDK puts ids into paths as they are, and `../messages` would be a path to all messages. */
function isId(id: string): boolean {
  return /^[\w-][\w.-]*$/.test(id);
}

function isMessageId(id: string): boolean {
  return id.startsWith('msg_');
}

function noSchedule(id: string): LiveError {
  return new LiveError(
    'RESOURCE_NOT_FOUND',
    `No schedule has the id ${quoted(id)}. list_scheduled_notifications shows those there are.`,
  );
}

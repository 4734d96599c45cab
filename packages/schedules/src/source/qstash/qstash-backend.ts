// Schedules in a QStash account, which also sends them. This process stores nothing: every read is a request to QStash,
// and changes made elsewhere are found by polling while a topic is watched.
import { type ChangeFeed, type Clock, LiveError, type Log, MemoryFeed, listTopics } from '@tidings/live';
import { nextOccurrence } from '../../model/cron.ts';
import { quotedValue } from '../../model/refusal.ts';
import type { DeadLetter, HistoryEntry } from '../../model/history.ts';
import type {
  CronRequest,
  OneOff,
  OneOffRequest,
  Schedule,
  TopicContent,
  ScheduleUpdate,
} from '../../model/schedule.ts';
import { type Changed, type ScheduleBackend, deadLetterTopicOf, historyTopicOf, topicOf } from '../backend.ts';
import type { Destination, Push } from '../destination/destination.ts';
import { Destinations } from '../destination/destinations.ts';
import { isDeadMessageId, readDead } from './dead-messages.ts';
import { ContentSnapshot, type SnapshotChanges } from './content-snapshot.ts';
import { NtfyAddress } from './ntfy-address.ts';
import { oneOffsFromLog } from './one-off-log.ts';
import { OneOffReader } from './one-off-reader.ts';
import { OwnOneOffs } from './own-one-offs.ts';
import { Poll } from './poll.ts';
import { QstashAccount } from './qstash-account.ts';
import { assertSchedule, isQstashId, isMessageId, noSchedule } from './qstash-id.ts';
import { QstashRequests } from './qstash-requests.ts';
import { checkToken, checkUrl } from './qstash-settings.ts';
import { readEntry } from './schedule-entry.ts';
import { topicContents } from './topic-contents.ts';
import { historyFromLog } from './topic-history.ts';
import { updatedRequest } from './updated-request.ts';

export interface QstashBackendOptions {
  /** QSTASH_TOKEN. */
  token: string;
  /** QSTASH_URL. Default: the service itself. */
  url?: string | undefined;
  /** The ntfy address that QStash sends to. QStash must be able to reach it, so it cannot be on this machine. */
  ntfyUrl: string;
  /** QStash stores it with every schedule, and sends it to ntfy. */
  ntfyToken?: string | undefined;
  /** Sends at once, without QStash. */
  ntfy: Destination;
  clock: Clock;
  log: Log;
  /** How often to poll for changes made elsewhere, while a topic is watched. */
  pollMs?: number | undefined;
  /** The time limit of a request to QStash. */
  timeoutMs?: number | undefined;
  random?: (() => number) | undefined;
  fetch?: typeof fetch | undefined;
}

export function openQstashBackend(options: QstashBackendOptions): QstashBackend {
  return new QstashBackend(options);
}

const defaultUrl = 'https://qstash.upstash.io';

export class QstashBackend implements ScheduleBackend {
  readonly destinations: Destinations;
  readonly note =
    'Waiting one-offs are listed from the log of QStash, which can forget them before they are due; they are sent all the same.';
  readonly #feed = new MemoryFeed();
  readonly clock: Clock;
  readonly #ntfy: NtfyAddress;
  readonly #requests: QstashRequests;
  readonly #account: QstashAccount;
  readonly #poll: Poll;
  readonly #snapshot = new ContentSnapshot();
  readonly #own = new OwnOneOffs();
  readonly #oneOffs: OneOffReader;
  /** Orders polls and changes by their start and end: a poll that started before a change does not show it. */
  #turn = 0;
  #newest = 0;

  constructor(options: QstashBackendOptions) {
    const { clock, log, pollMs = 15_000, timeoutMs = 10_000, random = Math.random } = options;
    const token = checkToken('QSTASH_TOKEN', options.token);
    const ntfyToken = options.ntfyToken ? checkToken('The token for ntfy', options.ntfyToken) : undefined;
    const url = checkUrl('QSTASH_URL', options.url || defaultUrl);
    const ntfy = new NtfyAddress(checkUrl('TIDINGS_NTFY_URL', options.ntfyUrl));
    const secrets = ntfyToken ? [ntfyToken] : [];
    this.clock = clock;
    this.#ntfy = ntfy;
    this.#requests = new QstashRequests({ url, token, secrets, timeoutMs, clock, fetch: options.fetch ?? fetch });
    this.#account = new QstashAccount({ requests: this.#requests, ntfy, ntfyToken });
    this.#poll = new Poll({ look: () => this.#look(), pollMs, clock, random, log });
    this.#oneOffs = new OneOffReader(() => this.#account.oneOffLog(), log);
    const words = `ntfy at ${ntfy.base}, sent by QStash (${this.#requests.origin})`;
    this.destinations = Destinations.only({ ...options.ntfy, words });
  }

  get feed(): ChangeFeed {
    return this.#feed;
  }

  async read(topic: string): Promise<TopicContent> {
    const { contents, incomplete } = await this.#look();
    const empty = { topic, schedules: [], pending: [], ...(incomplete !== undefined && { incomplete }) };
    return contents.find((content) => content.topic === topic) ?? empty;
  }

  async topics(): Promise<string[]> {
    return (await this.#look()).contents.map(({ topic }) => topic);
  }

  async list(topic?: string): Promise<TopicContent[]> {
    return topic === undefined ? (await this.#look()).contents : [await this.read(topic)];
  }

  async history(topic: string): Promise<HistoryEntry[]> {
    return historyFromLog(await this.#account.topicLog(topic));
  }

  async deadLetters(topic?: string): Promise<DeadLetter[]> {
    const messages = await this.#account.deadMessages(topic);
    return messages.flatMap((message) => readDead(message, this.#ntfy) ?? []);
  }

  async addCron(request: CronRequest): Promise<Schedule> {
    const { topic, message, cron, timezone, label = null, tries } = request;
    const id = await this.#account.create(request);
    this.#changed(topic);
    const next = nextOccurrence(cron, timezone, new Date(this.clock.date()));
    return {
      schedule_id: id,
      cron_expression: cron,
      timezone,
      status: 'active',
      label,
      notification_body: message,
      next_occurrence: next?.toISOString() ?? null,
      last_occurrence: null,
      ...(tries !== undefined && { tries }),
    };
  }

  async addOneOff(request: OneOffRequest): Promise<OneOff> {
    // QStash's times are in seconds. Rounded up, so that it is not early.
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

  /** QStash replaces the whole schedule, and the replacement is active. */
  async update(id: string, update: ScheduleUpdate): Promise<Changed> {
    assertSchedule(id, 'changed', 'Delete it, and make a new one.');
    const { topic, schedule } = await this.#lookUp(id);
    const request = updatedRequest(id, topic, schedule, update);
    await this.#account.create(request, id);
    if (schedule.status === 'paused') await this.#account.pause(id);
    this.#changed(topic);
    return { topic, now: (await this.#lookUp(id)).schedule };
  }

  pause(scheduleId: string): Promise<Changed> {
    return this.#setStatus(scheduleId, 'paused');
  }

  resume(scheduleId: string): Promise<Changed> {
    return this.#setStatus(scheduleId, 'active');
  }

  async remove(id: string): Promise<Changed> {
    if (isDeadMessageId(id)) {
      const { topic } = await this.#deadLetter(id);
      await this.#account.deleteDead(id);
      this.#changed(topic);
      return { topic };
    }
    const topic = isMessageId(id) ? await this.#cancel(id) : await this.#delete(id);
    this.#changed(topic);
    // The topic may have no entries left.
    this.#poll.look();
    return { topic };
  }

  /** As a separate message, so that QStash delivers it like all others. */
  async fire(id: string): Promise<Changed> {
    assertSchedule(id, 'fired', 'Delete it, and use send_push_notification.');
    const { topic, schedule } = await this.#lookUp(id);
    const due = this.clock.date();
    await this.addOneOff({ topic, message: schedule.notification_body, due });
    return { topic, now: schedule };
  }

  async resend(deadLetterId: string): Promise<Changed> {
    const { topic } = await this.#deadLetter(deadLetterId);
    await this.#account.retryDead(deadLetterId);
    this.#changed(topic);
    return { topic };
  }

  send(push: Push): Promise<void> {
    return this.destinations.send(push);
  }

  watch(topic: string): () => void {
    return this.#poll.watch(topic);
  }

  async close(): Promise<void> {
    this.#requests.close();
    await this.#poll.close();
  }

  /** Reads all schedules and one-offs, and announces differences to the last read. */
  async #look(): Promise<{ contents: TopicContent[]; incomplete: string | undefined }> {
    const turn = (this.#turn += 1);
    const [entries, oneOffs] = await Promise.all([this.#account.schedules(), this.#oneOffs.read(this.clock.date())]);
    this.#oneOffs.report(oneOffs);
    const { entries: log, incomplete } = oneOffs;
    const now = this.clock.date();
    const schedules = entries.flatMap((entry) => readEntry(entry, this.#ntfy, new Date(now)) ?? []);
    const contents = topicContents(schedules, this.#own.join(oneOffsFromLog(log, this.#ntfy), now), incomplete);
    if (turn > this.#newest) {
      this.#newest = turn;
      this.#announce(this.#snapshot.compare(contents, this.#poll.watched));
    }
    return { contents, incomplete };
  }

  /** QStash has answered, so a read from now on finds the change. */
  #changed(topic: string): void {
    this.#newest = this.#turn += 1;
    this.#announce(this.#snapshot.changed(topic));
    if (this.#poll.isWatched) this.#poll.look();
  }

  /** QStash does not report changes of its log, so the history of changed topics counts as changed, too. */
  #announce({ topics, hasNewList }: SnapshotChanges): void {
    const all = topics.flatMap((topic) => [topicOf(topic), historyTopicOf(topic), deadLetterTopicOf(topic)]);
    if (hasNewList) all.push(listTopics.resources);
    if (all.length > 0) this.#feed.announce(all);
  }

  async #deadLetter(id: string): Promise<DeadLetter> {
    const message = isDeadMessageId(id) ? await this.#account.deadMessage(id) : undefined;
    const letter = message && readDead(message, this.#ntfy);
    if (letter) return letter;
    throw new LiveError(
      'RESOURCE_NOT_FOUND',
      `There is no dead letter with the id ${quotedValue(id)}. list_dead_letters lists them.`,
    );
  }

  async #setStatus(id: string, status: Schedule['status']): Promise<Changed> {
    assertSchedule(id, 'paused', 'Use delete_schedule to take it back.');
    const { topic, schedule } = await this.#lookUp(id);
    const isThere = status === 'paused' ? await this.#account.pause(id) : await this.#account.resume(id);
    if (!isThere) throw noSchedule(id);
    if (schedule.status !== status) this.#changed(topic);
    return { topic, now: { ...schedule, status } };
  }

  async #delete(id: string): Promise<string> {
    const { topic } = await this.#lookUp(id);
    // It does not matter if it was deleted already.
    await this.#account.delete(id);
    return topic;
  }

  async #cancel(id: string): Promise<string> {
    const url = isQstashId(id) ? await this.#account.messageUrl(id) : undefined;
    const topic = this.#ntfy.topicAt(url ?? '');
    if (topic === undefined || !(await this.#account.cancel(id))) {
      throw new LiveError(
        'RESOURCE_NOT_FOUND',
        `No notification with the id ${quotedValue(id)} is waiting: it was delivered or deleted, or never existed.`,
      );
    }
    this.#snapshot.noteTopic(topic);
    this.#own.cancelled(id, this.clock.date());
    return topic;
  }

  /** Call it before a deletion: afterwards the topic cannot be found. */
  async #lookUp(id: string) {
    const entry = isQstashId(id) ? await this.#account.schedule(id) : undefined;
    const found = entry && readEntry(entry, this.#ntfy, new Date(this.clock.date()));
    if (!found) throw noSchedule(id);
    this.#snapshot.noteTopic(found.topic);
    return found;
  }
}

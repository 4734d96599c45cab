// Requests to a QStash account, through its SDK. Responses are parsed here.
import { randomUUID } from 'node:crypto';
import { Client } from '@upstash/qstash';
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import type { CronRequest, OneOffRequest } from '../../model/schedule.ts';
import { type DeadMessage, deadMessage } from './dead-messages.ts';
import type { NtfyAddress } from './ntfy-address.ts';
import { type LogEntry, logEntry, logFilter, oneOffLabels } from './one-off-log.ts';
import { QstashFailure, unreadable } from './qstash-failure.ts';
import type { QstashRequests } from './qstash-requests.ts';
import { type ScheduleEntry, cronInZone, scheduleEntry } from './schedule-entry.ts';

interface QstashAccountOptions {
  requests: QstashRequests;
  ntfy: NtfyAddress;
  ntfyToken?: string | undefined;
}

const schedulePage = z.array(scheduleEntry);
const logPage = z.object({ logs: z.array(logEntry), cursor: z.string().optional().catch(undefined) });
const created = z.object({ scheduleId: z.string() });
const published = z.object({ messageId: z.string() });
const deadPage = z.object({ messages: z.array(deadMessage) });
const message = z.object({ url: z.string().catch('') });
const cancelled = z.object({ cancelled: z.number() });

/** The page limit of QStash. */
const entriesPerPage = 100;
const mostPages = 10;
/** A history has 200 entries. */
const historyPages = 2;

export class QstashAccount {
  readonly #client: Client;
  readonly #origin: string;
  readonly #ntfy: NtfyAddress;
  readonly #ntfyToken: string | undefined;

  constructor({ requests, ntfy, ntfyToken }: QstashAccountOptions) {
    // The token stays with the requests. Without `devMode: false`, a variable in the environment would make
    // the SDK download a server and start it.
    const unused = { token: 'unused', baseUrl: requests.origin, retry: false } as const;
    this.#client = new Client({ ...unused, devMode: false, enableTelemetry: false });
    this.#client.http = requests;
    this.#origin = requests.origin;
    this.#ntfy = ntfy;
    this.#ntfyToken = ntfyToken;
  }

  schedules(): Promise<ScheduleEntry[]> {
    return this.#ask(schedulePage, () => this.#client.schedules.list());
  }

  schedule(id: string): Promise<ScheduleEntry | undefined> {
    return this.#find(scheduleEntry, () => this.#client.schedules.get(id));
  }

  /** Newest first. Usually one page: a one-off has about three entries. */
  oneOffLog(): Promise<LogEntry[]> {
    return this.#log(logFilter, mostPages);
  }

  /** The log of everything that was sent to a topic, newest first. */
  topicLog(topic: string): Promise<LogEntry[]> {
    return this.#log({ url: this.#ntfy.of(topic) }, historyPages);
  }

  /** Of one topic, or of the whole account. */
  async deadMessages(topic?: string): Promise<DeadMessage[]> {
    const filter = topic === undefined ? {} : { filter: { url: this.#ntfy.of(topic) } };
    const request = { count: entriesPerPage, ...filter };
    return (await this.#ask(deadPage, () => this.#client.dlq.listMessages(request))).messages;
  }

  async deadMessage(dlqId: string): Promise<DeadMessage | undefined> {
    const page = await this.#ask(deadPage, () => this.#client.dlq.listMessages({ dlqIds: [dlqId] }));
    return page.messages.find((each) => each.dlqId === dlqId);
  }

  async retryDead(dlqId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#client.dlq.retry([dlqId]));
  }

  async deleteDead(dlqId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#client.dlq.delete([dlqId]));
  }

  async #log(filter: { label: string } | { url: string }, pages: number): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const from = cursor === undefined ? {} : { cursor };
      const request = { count: entriesPerPage, filter, ...from };
      const answer = await this.#ask(logPage, () => this.#client.logs(request));
      entries.push(...answer.logs);
      if (!answer.cursor) break;
      cursor = answer.cursor;
    }
    return entries;
  }

  /**
   * With an id of our own: if the request has to be repeated, it does not create a second schedule. An existing
   * schedule with this id is replaced.
   */
  async create(
    { topic, message, cron, timezone, label, tries }: CronRequest,
    id: string = randomUUID(),
  ): Promise<string> {
    const request = {
      ...this.#delivery(message, tries),
      destination: this.#ntfy.of(topic),
      cron: cronInZone(cron, timezone),
      scheduleId: id,
      ...(label !== undefined && { label }),
    };
    const { scheduleId } = await this.#ask(created, () => this.#client.schedules.create(request));
    return scheduleId;
  }

  async publish({ topic, message, tries }: OneOffRequest, dueSeconds: number): Promise<string> {
    const request = {
      ...this.#delivery(message, tries),
      url: this.#ntfy.of(topic),
      notBefore: dueSeconds,
      label: oneOffLabels(dueSeconds),
      deduplicationId: randomUUID(),
    };
    const { messageId } = await this.#ask(published, () => this.#client.publish(request));
    return messageId;
  }

  /** These three resolve with whether the schedule existed. */
  pause(id: string): Promise<boolean> {
    return this.#did(() => this.#client.schedules.pause({ schedule: id }));
  }

  resume(id: string): Promise<boolean> {
    return this.#did(() => this.#client.schedules.resume({ schedule: id }));
  }

  delete(id: string): Promise<boolean> {
    return this.#did(() => this.#client.schedules.delete(id));
  }

  /** The destination of a waiting message. */
  async messageUrl(id: string): Promise<string | undefined> {
    return (await this.#find(message, () => this.#client.messages.get(id)))?.url;
  }

  /** Resolves with whether it was still waiting. */
  async cancel(id: string): Promise<boolean> {
    const answer = await this.#find(cancelled, () => this.#client.messages.cancel(id));
    return answer !== undefined && answer.cancelled > 0;
  }

  #delivery(body: string, tries: number | undefined) {
    return {
      body,
      ...(tries !== undefined && { retries: tries - 1 }),
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(this.#ntfyToken && { Authorization: `Bearer ${this.#ntfyToken}` }),
      },
      // QStash sends the header to ntfy, but does not show its value.
      ...(this.#ntfyToken && { redact: { header: ['Authorization'] } }),
    };
  }

  async #ask<T>(form: z.ZodType<T>, call: () => Promise<unknown>): Promise<T> {
    try {
      return form.parse(await call());
    } catch (error) {
      // The SDK itself throws on unexpected responses.
      throw error instanceof LiveError ? error : unreadable(this.#origin);
    }
  }

  async #find<T>(form: z.ZodType<T>, call: () => Promise<unknown>): Promise<T | undefined> {
    try {
      return await this.#ask(form, call);
    } catch (error) {
      if (error instanceof QstashFailure && error.status === 404) return undefined;
      throw error;
    }
  }

  async #did(call: () => Promise<unknown>): Promise<boolean> {
    return (await this.#find(z.literal(true), () => call().then(() => true))) ?? false;
  }
}

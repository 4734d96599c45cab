// Writes steadily through the balancer and records acknowledged writes: conversations, which every node must have at
// the end, and notifications, which must be sent once. A repeated delivery must be marked as one.
import { eventually } from '@tidings/live/testing';
import { z } from 'zod';
import { HttpSink } from '../../support/counterpart/http-sink.ts';
import { ask } from '../../support/wire/raw-http.ts';
import { pause } from '../round.ts';
import { callTool, callUntilDone } from './call-tool.ts';

const createdSchema = z.object({ uuid: z.string() });
const postedSchema = z.object({
  timestamp: z.string(),
  data: z.object({ topic: z.string(), message: z.string(), again: z.boolean().optional() }),
});
interface Posted extends z.infer<typeof postedSchema> {
  id: unknown;
}

/** A delivery whose node was killed is taken over after a minute. */
const patienceMs = 150_000;
const everyMinute = 'every-minute';

export interface LedgerResult {
  acknowledged: number;
  occurrences: number;
  problems: string[];
}

export class Ledger implements AsyncDisposable {
  readonly sink: HttpSink;
  readonly #conversations: string[] = [];
  readonly #notifications: string[] = [];
  #writing: Promise<void> | undefined;
  #isOver = false;

  private constructor(sink: HttpSink) {
    this.sink = sink;
  }

  static async open(): Promise<Ledger> {
    return new Ledger(await HttpSink.start());
  }

  /** Starts writing at this address. */
  async begin(url: string, paceMs: number): Promise<void> {
    const schedule = { message: 'a minute', notification_topic: everyMinute, cron: '* * * * *', timezone: 'UTC' };
    await callUntilDone(url, 'schedules', 'schedule_cron_notification', schedule);
    this.#writing = this.#write(url, paceMs);
  }

  /** Stops writing, and reports acknowledged writes that are missing and notifications that were sent twice. */
  async close(nodes: readonly string[]): Promise<LedgerResult> {
    this.#isOver = true;
    await this.#writing;
    const until = performance.now() + patienceMs;
    while (this.#unsent().length > 0 && performance.now() < until) await pause(100);
    const lost = await Promise.all(nodes.map((url) => this.#lostAt(url)));
    const problems = [
      ...lost.flat(),
      ...this.#unsent().map((message) => `"${message}" was acknowledged and never sent`),
      ...this.#repeated(),
    ];
    const acknowledged = this.#conversations.length + this.#notifications.length;
    return { acknowledged, occurrences: this.#byOccurrence().size, problems };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#writing;
    await this.sink[Symbol.asyncDispose]();
  }

  async #write(url: string, paceMs: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      await this.#acknowledged(async () => {
        const created = await callTool(url, 'vcon', 'create_vcon', { subject: `kept ${n}` });
        this.#conversations.push(createdSchema.parse(created).uuid);
      });
      const message = `one-off ${n}`;
      await this.#acknowledged(async () => {
        const one = { message, notification_topic: 'one-offs', delay: `${1 + (n % 10)}s` };
        await callTool(url, 'schedules', 'schedule_notification', one);
        this.#notifications.push(message);
      });
      await pause(paceMs);
    }
  }

  /** A write without an acknowledgement may or may not have happened, so it is not recorded. */
  async #acknowledged(write: () => Promise<void>): Promise<void> {
    await write().catch(() => undefined);
  }

  async #lostAt(url: string): Promise<string[]> {
    const lost: string[] = [];
    for (const uuid of this.#conversations) {
      const uri = `vcon://v1/vcons/${uuid}`;
      const isThere = () => canRead(url, uri);
      await eventually(`${uri} to be readable at ${url}`, isThere, patienceMs).catch((error: unknown) => {
        lost.push(`${uuid} was acknowledged: ${String(error)}`);
      });
    }
    return lost;
  }

  #unsent(): string[] {
    const sent = new Set(this.#posted().map(({ data }) => data.message));
    return this.#notifications.filter((message) => !sent.has(message));
  }

  /** Occurrences with more than one id, or sent more than once without a mark. */
  #repeated(): string[] {
    return [...this.#byOccurrence()].flatMap(([occurrence, sent]) => {
      const unmarked = sent.filter(({ data }) => data.again !== true);
      const ids = new Set(unmarked.map(({ id }) => id));
      if (ids.size > 1) return [`${occurrence} was fired ${ids.size} times`];
      return unmarked.length > 1 ? [`${occurrence} was sent ${unmarked.length} times without a mark`] : [];
    });
  }

  #byOccurrence(): Map<string, Posted[]> {
    const groups = new Map<string, Posted[]>();
    for (const posted of this.#posted()) {
      const { timestamp, data } = posted;
      const occurrence = data.topic === everyMinute ? `${data.topic} ${timestamp}` : data.message;
      groups.set(occurrence, [...(groups.get(occurrence) ?? []), posted]);
    }
    return groups;
  }

  #posted(): Posted[] {
    return this.sink.received.map(({ headers, body }) => ({
      id: headers['webhook-id'],
      ...postedSchema.parse(JSON.parse(body)),
    }));
  }
}

async function canRead(url: string, uri: string): Promise<boolean> {
  const { message } = await ask(`${url}/mcp`, 'modern', 'resources/read', { uri });
  return message.result !== undefined;
}

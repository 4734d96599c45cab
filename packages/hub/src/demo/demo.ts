// Loads sample conversations and schedules, and keeps changing them. It uses the servers through their tools, like any
// other client.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock, Log, Timer } from '@tidings/live';
import { isObject } from '@tidings/live/portable';
import { every } from '@tidings/live/time';
import type { BuiltinServers } from '../builtins.ts';
import { clientInMemory } from '../base/client-in-memory.ts';
import type { SampleCounts } from '@tidings/client/contract';
import type { SampleData } from './sample-data.ts';
import { type SampleConversation, furtherLines, sampleConversations } from './sample-conversations.ts';

const changeEveryMs = 3000;
/** A conversation with more entries than this is deleted and created again. */
const longestDialog = 12;

const schedules = [
  { notification_topic: 'shop-floor', message: 'Look through open returns', cron: '0 9 * * 1-5', label: 'returns' },
  { notification_topic: 'shop-floor', message: 'Stock count', cron: '30 17 * * 5', label: 'stock-count' },
  { notification_topic: 'support', message: 'Who answers the phone today?', cron: '45 8 * * 1-5', label: 'phone' },
];

interface DemoOptions {
  builtins: BuiltinServers;
  /** The built-in servers that the configuration has. */
  served: ReadonlySet<string>;
  clock: Clock;
  log: Log;
  /** Notifications are not sent. */
  isTrial: boolean;
}

export class Demo implements SampleData {
  readonly #builtins: BuiltinServers;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #isTrial: boolean;
  readonly #served: ReadonlySet<string>;
  readonly #clients = new Map<string, Promise<Client>>();
  #timer: Timer | undefined;
  #turn = 0;
  #isLoaded = false;

  constructor({ builtins, served, clock, log, isTrial }: DemoOptions) {
    this.#isTrial = isTrial;
    this.#served = served;
    this.#builtins = builtins;
    this.#clock = clock;
    this.#log = log;
  }

  /** No sample schedules where notifications are really sent: they would go to a public service. */
  get offers(): SampleCounts {
    const hasSchedules = this.#isTrial && this.#served.has('schedules');
    return {
      conversations: this.#served.has('vcon') ? sampleConversations.length : 0,
      schedules: hasSchedules ? schedules.length : 0,
    };
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get isChanging(): boolean {
    return this.#timer !== undefined && this.offers.conversations > 0;
  }

  readonly load = async (): Promise<SampleCounts> => {
    const { offers } = this;
    for (const [age, sample] of sampleConversations.slice(0, offers.conversations).entries())
      await this.#create(sample, age);
    this.#isLoaded = true;
    if (offers.schedules === 0) return offers;
    const there = await this.#call('schedules', 'list_scheduled_notifications', {});
    const known = JSON.stringify(there);
    for (const schedule of schedules) {
      if (!known.includes(`"${schedule.label}"`)) {
        await this.#call('schedules', 'schedule_cron_notification', { ...schedule, timezone: 'UTC' });
      }
    }
    return offers;
  };

  /** Starts to change something every few seconds. */
  start(): void {
    const failed = (err: unknown) => this.#log.warn({ err }, 'The demo could not change anything.');
    this.#timer = every(this.#clock, changeEveryMs, () => this.#change().catch(failed));
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const client of this.#clients.values()) await (await client).close();
  }

  async #change(): Promise<void> {
    if (this.offers.conversations === 0) return;
    const turn = (this.#turn += 1);
    const sample = sampleConversations[turn % sampleConversations.length];
    const line = furtherLines[turn % furtherLines.length];
    if (sample === undefined || line === undefined) return;
    if (turn % 5 === 0) {
      const status = turn % 2 === 0 ? 'open' : 'resolved';
      await this.#call('vcon', 'manage_tag', { vcon_uuid: sample.uuid, action: 'set', key: 'status', value: status });
      return;
    }
    const dialog = {
      type: 'text',
      start: this.#now(0),
      parties: [line.from === 'agent' ? 0 : 1],
      encoding: 'none',
      body: line.says,
    };
    const answer = await this.#call('vcon', 'add_dialog', { vcon_uuid: sample.uuid, dialog });
    if (indexIn(answer) < longestDialog) return;
    await this.#call('vcon', 'delete_vcon', { uuid: sample.uuid });
    await this.#create(sample, 0);
  }

  async #create(
    { uuid, subject, agent, customer, tags, lines, summary }: SampleConversation,
    age: number,
  ): Promise<void> {
    const mail = (name: string) => `${name.toLowerCase().replaceAll(' ', '.')}@shop.example`;
    await this.#call('vcon', 'create_vcon', {
      uuid,
      subject,
      parties: [
        { name: agent, mailto: mail(agent), type: 'person' },
        { name: customer, tel: '+49 30 5550 1234', type: 'person' },
      ],
      dialog: lines.map(({ from, says }) => ({
        type: 'text',
        start: this.#now(age),
        parties: [from === 'agent' ? 0 : 1],
        encoding: 'none',
        body: says,
      })),
      analysis: [{ type: 'summary', vendor: 'Tidings', product: 'demo', encoding: 'none', body: summary }],
      attachments: [
        { type: 'tags', encoding: 'json', body: Object.entries(tags).map(([key, value]) => `${key}:${value}`) },
      ],
    });
  }

  #now(minutesAgo: number): string {
    return new Date(this.#clock.date() - minutesAgo * 60_000).toISOString();
  }

  async #call(server: string, name: string, args: Record<string, unknown>): Promise<unknown> {
    const client = await this.#client(server);
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
    // An error of create_vcon means that the conversation exists already, with later changes.
    if (isError === true && name !== 'create_vcon') throw new Error(`${name}: ${JSON.stringify(content)}`);
    return structuredContent;
  }

  #client(server: string): Promise<Client> {
    let client = this.#clients.get(server);
    if (client === undefined)
      this.#clients.set(server, (client = this.#builtins.open(server).then((opened) => clientInMemory(opened))));
    return client;
  }
}

function indexIn(answer: unknown): number {
  return isObject(answer) ? Number(answer['index'] ?? 0) : 0;
}

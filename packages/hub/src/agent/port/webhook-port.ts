// A session of another program (a LiveKit or Pipecat agent, a telephone bridge): each message is posted to its address,
// signed as specified by Standard Webhooks. The response may say whether the model is answering: `{"answering": true}`.
import type { Clock } from '@tidings/live';
import {
  NoAnswer,
  type WebhookKey,
  boundedRequest,
  readUpTo,
  webhookHeaders,
  webhookKeyOfAnyLength,
} from '@tidings/live/internal';
import { parsedJson } from '@tidings/live/portable';
import { z } from 'zod';
import type { AgentEvents, AgentMessage, AgentPort } from './agent-port.ts';
import { bridgeMessage } from './bridge-message.ts';

interface WebhookPortOptions {
  session: string;
  url: string;
  /** Base64, with or without the prefix `whsec_`. */
  secret: string;
  clock: Pick<Clock, 'after' | 'date'>;
}

const timeoutMs = 10_000;
const longestAnswer = 4096;
const answerSchema = z.object({ answering: z.boolean() });

export class WebhookPort implements AgentPort {
  readonly kind = 'webhook';
  readonly #options: WebhookPortOptions;
  readonly #key: WebhookKey;
  #events: AgentEvents | undefined;
  #life = '';
  #sent = 0;

  constructor(options: WebhookPortOptions) {
    this.#options = options;
    this.#key = webhookKeyOfAnyLength(options.secret);
  }

  async open(events: AgentEvents): Promise<void> {
    this.#events = events;
    this.#sent = 0;
    this.#life = this.#options.clock.date().toString(36);
  }

  async send(message: AgentMessage): Promise<void> {
    const { session, url, clock } = this.#options;
    const events = this.#events;
    const number = (this.#sent += 1);
    const at = clock.date();
    const id = `${session}-${this.#life}-${number}`;
    const body = JSON.stringify(bridgeMessage(session, message, new Date(at)));
    const headers = { 'content-type': 'application/json', ...webhookHeaders({ id, at, body }, [this.#key]) };
    const { status, text } = await this.#post(url, headers, body);
    if (status >= 500 || status === 429 || status === 408) throw new Error(`The bridge answered ${status}.`);
    if (status < 200 || status > 299) events?.refused(number, `the bridge answered ${status}`);
    const answer = answerIn(text);
    if (answer) events?.answering(answer.answering);
  }

  async close(): Promise<void> {
    this.#events = undefined;
  }

  async #post(url: string, headers: Record<string, string>, body: string): Promise<{ status: number; text: string }> {
    const bounds = { clock: this.#options.clock, withinMs: timeoutMs };
    return boundedRequest(url, { method: 'POST', headers, body }, bounds, async (response) => ({
      status: response.status,
      text: String(await readUpTo(response.body, longestAnswer)),
    })).catch((error: unknown) => {
      // The cause may quote what was sent.
      const problem = error instanceof NoAnswer ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached';
      throw new Error(`The bridge at ${new URL(url).host} ${problem}.`);
    });
  }
}

function answerIn(text: string): z.infer<typeof answerSchema> | undefined {
  return answerSchema.safeParse(parsedJson(text)).data;
}

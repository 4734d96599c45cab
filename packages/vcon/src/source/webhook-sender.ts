// Posts signed webhooks to one address, each until it is accepted or given up.
import { type Clock, LiveError, type Log } from '@tidings/live';
import { NoAnswer, type WebhookKey, boundedRequest, webhookHeaders, webhookKey } from '@tidings/live/internal';
import { messageOf, webAddress } from '@tidings/live/portable';
import { delay } from '@tidings/live/time';

export interface WebhookSenderOptions {
  url: string;
  /** In the format of Standard Webhooks: whsec_ and base64. */
  secret: string | undefined;
  clock: Clock;
  log: Log;
}

export interface Webhook {
  id: string;
  type: string;
  data: object;
}

/** How long retries make sense. */
interface SendingTime {
  isOver(this: void): boolean;
  readonly signal: AbortSignal;
}

const pausesMs = [1000, 5000, 30_000, 120_000, 600_000];
const timeoutMs = 15_000;

export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #url: URL;
  readonly #keys: readonly WebhookKey[];
  #isGone = false;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#url = addressOf(options.url);
    this.#keys = [keyOf(options.secret)];
  }

  /** The address without its parameters, which may contain a secret. */
  get name(): string {
    return `${this.#url.origin}${this.#url.pathname}`;
  }

  /** Whether the receiver answered that it wants no more webhooks. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves with true if the webhook was accepted or given up, with false if sending has ended. */
  async deliver({ id, type, data }: Webhook, time: SendingTime): Promise<boolean> {
    const { clock, log } = this.#options;
    const body = JSON.stringify({ type, timestamp: new Date(clock.date()).toISOString(), data });
    for (const pauseMs of [...pausesMs, undefined]) {
      if (time.isOver() || this.#isGone) return false;
      const problem = await this.#attempt(id, body, time.signal);
      if (problem === undefined) return true;
      if (time.isOver() || this.#isGone) return false;
      if (pauseMs === undefined) log.error({ id, type, url: this.name, problem }, 'A webhook was given up.');
      else {
        log.warn({ id, type, url: this.name, problem, againInMs: pauseMs }, 'A webhook failed; trying again.');
        await delay(clock, pauseMs, time.signal);
      }
    }
    return true;
  }

  /** Resolves with the problem, if there was one. */
  async #attempt(id: string, body: string, signal: AbortSignal): Promise<string | undefined> {
    const { clock, log } = this.#options;
    const headers = {
      'content-type': 'application/json',
      ...webhookHeaders({ id, at: clock.date(), body }, this.#keys),
    };
    try {
      const bounds = { clock, withinMs: timeoutMs, signal };
      const { ok, status } = await boundedRequest(this.#url, { method: 'POST', headers, body }, bounds, unread);
      if (ok) return undefined;
      if (status === 410) {
        this.#isGone = true;
        log.error(
          { url: this.name },
          'The receiver of webhooks answered 410: no webhooks are sent until the next start.',
        );
      }
      return `answered ${status}`;
    } catch (error) {
      if (error instanceof NoAnswer) return `no answer within ${timeoutMs / 1000} s`;
      return messageOf(error);
    }
  }
}

async function unread(response: Response): Promise<Response> {
  await response.body?.cancel();
  return response;
}

function addressOf(text: string): URL {
  const problem = 'TIDINGS_VCON_WEBHOOK_URL must be an http or https URL without a password.';
  return webAddress(text, () => new LiveError('INVALID_PARAMS', problem));
}

function keyOf(secret: string | undefined): WebhookKey {
  try {
    return webhookKey(secret ?? '');
  } catch (error) {
    const why = messageOf(error);
    throw new LiveError('INVALID_PARAMS', `TIDINGS_VCON_WEBHOOK_SECRET is needed to sign webhooks. ${why}`);
  }
}

// Sends a signed webhook for every vCon that was created, changed or deleted, in order. It names the vCon and has no
// content. The position is kept in the store: changes during a stop are sent after the restart, and the last webhook
// before the stop may be sent again, with the same id.
import { createHash } from 'node:crypto';
import { type Clock, LiveError, type Log } from '@tidings/live';
import { type WebhookKey, webhookHeaders, webhookKey } from '@tidings/live/internal';
import { parsedUrl } from '@tidings/live/parsed-url';
import { delay, timeLimit } from '@tidings/live/time';
import type { VconStore } from './tables.ts';
import { uuidsIn } from './topics.ts';

export interface ChangeWebhookOptions {
  store: VconStore;
  url: string;
  /** As Standard Webhooks writes it: whsec_ and base64. */
  secret: string | undefined;
  clock: Clock;
  log: Log;
}

/** Changes that wait; `undefined` stands for changes that are not known any more. */
interface Waiting {
  cursor: string;
  uuids: readonly string[] | undefined;
}

const pausesMs = [1000, 5000, 30_000, 120_000, 600_000];
const timeoutMs = 15_000;
const mostWaiting = 10_000;
/** Announced at the very first start. */
const startTopic = 'webhooks';
/** Places that are passed before one is kept again. */
const keepEvery = 50;

export class ChangeWebhooks {
  readonly #options: ChangeWebhookOptions;
  readonly #url: URL;
  readonly #keys: readonly WebhookKey[];
  readonly #closing = new AbortController();
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #unfollow: () => void = () => undefined;
  #isGone = false;

  constructor(options: ChangeWebhookOptions) {
    this.#options = options;
    this.#url = addressOf(options.url);
    this.#keys = [keyOf(options.secret)];
  }

  async start(): Promise<void> {
    const { store } = this.#options;
    const place = await store.db
      .selectFrom('webhook_place')
      .select('cursor')
      .where('url', '=', this.#name)
      .executeTakeFirst();
    const reader = {
      change: ({ cursor, topics }: { cursor: string; topics: readonly string[] }) => {
        const uuids = [...new Set(uuidsIn(topics))];
        if (uuids.length > 0 || topics.includes(startTopic)) this.#take({ cursor, uuids });
      },
      gap: () => this.#take({ cursor: '', uuids: undefined }),
    };
    this.#unfollow = store.feed.follow(reader, place?.cursor);
    // Its place is kept like that of any change, so that the next start knows where this one began.
    if (place === undefined) await store.feed.announce([startTopic]);
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#closing.abort();
    await this.#sending;
  }

  /** Without parameters, which may hold a secret. */
  get #name(): string {
    return `${this.#url.origin}${this.#url.pathname}`;
  }

  #take(waiting: Waiting): void {
    if (this.#isGone) return;
    if (this.#waiting.length >= mostWaiting) this.#waiting = [{ cursor: waiting.cursor, uuids: undefined }];
    else this.#waiting.push(waiting);
    this.#sending ??= this.#sendAll()
      .catch((err: unknown) =>
        this.#options.log.error({ err }, 'Webhooks could not be sent; trying again at the next change.'),
      )
      .finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    let sent = 0;
    for (let next = this.#waiting[0]; next !== undefined && !this.#isEnded; next = this.#waiting[0]) {
      // One that was taken counts, even if the server is closed just then.
      if (!(await this.#send(next))) return;
      // One that took the place of too many is not the first any more.
      if (this.#waiting[0] === next) this.#waiting.shift();
      sent += 1;
      if (next.cursor !== '' && (this.#waiting.length === 0 || sent % keepEvery === 0)) await this.#keep(next.cursor);
    }
  }

  get #isEnded(): boolean {
    return this.#closing.signal.aborted || this.#isGone;
  }

  /** Whether it is done with: taken, or given up. */
  async #send({ cursor, uuids }: Waiting): Promise<boolean> {
    if (uuids === undefined) return this.#deliver(idOf(cursor, 'gap'), 'vcon.gap', {});
    for (const uuid of uuids) {
      if (!(await this.#deliver(idOf(cursor, uuid), await this.#kindOf(uuid), { uuid }))) return false;
    }
    return true;
  }

  async #kindOf(uuid: string): Promise<string> {
    const row = await this.#options.store.db
      .selectFrom('vcon')
      .select('revision')
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    if (row === undefined) return 'vcon.deleted';
    return row.revision === 1 ? 'vcon.created' : 'vcon.updated';
  }

  async #deliver(id: string, type: string, data: object): Promise<boolean> {
    const { clock, log } = this.#options;
    const body = JSON.stringify({ type, timestamp: new Date(clock.date()).toISOString(), data });
    for (const pauseMs of [...pausesMs, undefined]) {
      if (this.#isEnded) return false;
      const problem = await this.#attempt(id, body);
      if (problem === undefined) return true;
      if (this.#isEnded) return false;
      if (pauseMs === undefined) log.error({ id, type, url: this.#name, problem }, 'A webhook was given up.');
      else {
        log.warn({ id, type, url: this.#name, problem, againInMs: pauseMs }, 'A webhook failed; trying again.');
        await delay(clock, pauseMs, this.#closing.signal);
      }
    }
    return true;
  }

  /** What went wrong, if something did. */
  async #attempt(id: string, body: string): Promise<string | undefined> {
    const { clock, log } = this.#options;
    const limit = timeLimit(clock, timeoutMs, this.#closing.signal);
    const headers = {
      'content-type': 'application/json',
      ...webhookHeaders({ id, at: clock.date(), body }, this.#keys),
    };
    try {
      // A redirect would send it elsewhere than was configured.
      const response = await fetch(this.#url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: limit.signal,
      });
      await response.body?.cancel();
      if (response.ok) return undefined;
      if (response.status === 410) {
        this.#isGone = true;
        log.error(
          { url: this.#name },
          'The receiver of webhooks answered 410: no webhooks are sent until the next start.',
        );
      }
      return `answered ${response.status}`;
    } catch (error) {
      if (limit.isExceeded) return `no answer within ${timeoutMs / 1000} s`;
      return error instanceof Error ? error.message : String(error);
    } finally {
      limit.clear();
    }
  }

  async #keep(cursor: string): Promise<void> {
    await this.#options.store.write(async ({ db }) => {
      await db
        .insertInto('webhook_place')
        .values({ url: this.#name, cursor })
        .onConflict((conflict) => conflict.column('url').doUpdateSet({ cursor }))
        .execute();
    });
  }
}

/** The same for the same change, whichever process sends it, and when. */
function idOf(cursor: string, what: string): string {
  return `msg_${createHash('sha256').update(`${cursor}\n${what}`).digest('base64url').slice(0, 27)}`;
}

function addressOf(text: string): URL {
  const url = parsedUrl(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new LiveError('INVALID_PARAMS', 'TIDINGS_VCON_WEBHOOK_URL must be an http or https URL without a password.');
}

function keyOf(secret: string | undefined): WebhookKey {
  try {
    return webhookKey(secret ?? '');
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new LiveError('INVALID_PARAMS', `TIDINGS_VCON_WEBHOOK_SECRET is needed to sign webhooks. ${why}`);
  }
}

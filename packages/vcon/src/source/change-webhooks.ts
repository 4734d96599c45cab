// Sends a signed webhook for every vCon that was created, changed or deleted, in order. It names the vCon and has no
// content. The position is kept in the store: changes during a stop are sent after the restart, and the last webhook
// before the stop may be sent again. Of the processes on one store, one sends at a time.
import type { Change } from '@tidings/live';
import { digestOf } from '@tidings/live/internal';
import type { VconStore } from './tables.ts';
import { uuidsIn } from './topics.ts';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
import { type WebhookTurn, WebhookTurns } from './webhook-turns.ts';

interface ChangeWebhookOptions extends WebhookSenderOptions {
  store: VconStore;
}

/** Wrong settings throw when it is constructed; nothing is sent before `start`. */
export class ChangeWebhooks {
  readonly #turns: WebhookTurns;

  constructor(options: ChangeWebhookOptions) {
    const { store, clock, log } = options;
    const sender = new WebhookSender(options);
    const turns = new WebhookTurns({
      store,
      name: sender.name,
      clock,
      log,
      begin: (position) => ChangeWebhookTurn.begin({ ...options, sender, turns }, position),
    });
    this.#turns = turns;
  }

  start(): Promise<void> {
    return this.#turns.start();
  }

  close(): Promise<void> {
    return this.#turns.close();
  }
}

interface TurnOptions extends Pick<ChangeWebhookOptions, 'store' | 'log'> {
  sender: WebhookSender;
  turns: WebhookTurns;
}

/** Changes that wait; `undefined` means changes that are no longer known. */
interface UnsentChanges {
  cursor: string;
  uuids: readonly string[] | undefined;
}

const mostWaiting = 10_000;
/** The topic that the first turn announces, to get a position. */
const startTopic = 'webhooks';
/** Changes sent before the position is stored again. */
const keepEvery = 50;

/** One turn: the time from when this process starts to send until another process does, or it is closed. */
class ChangeWebhookTurn implements WebhookTurn {
  readonly #options: TurnOptions;
  readonly #closing = new AbortController();
  #waiting: UnsentChanges[] = [];
  #sending: Promise<void> | undefined;
  #unfollow: () => void = () => undefined;

  private constructor(options: TurnOptions) {
    this.#options = options;
  }

  static async begin(options: TurnOptions, position: string | undefined): Promise<ChangeWebhookTurn> {
    const { feed } = options.store;
    const turn = new ChangeWebhookTurn(options);
    const reader = {
      change: ({ cursor, topics }: Change) => {
        const uuids = [...new Set(uuidsIn(topics))];
        if (uuids.length > 0 || topics.includes(startTopic)) turn.#take({ cursor, uuids });
      },
      gap: () => turn.#take({ cursor: '', uuids: undefined }),
    };
    turn.#unfollow = feed.follow(reader, position);
    // The announcement gives the first turn a position, from which the next turn continues.
    if (position === undefined) await feed.announce([startTopic]);
    return turn;
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#closing.abort();
    await this.#sending;
  }

  #take(waiting: UnsentChanges): void {
    if (this.#isOver) return;
    if (this.#waiting.length >= mostWaiting) this.#waiting = [{ cursor: waiting.cursor, uuids: undefined }];
    else this.#waiting.push(waiting);
    this.#sending ??= this.#sendAll()
      .catch((err: unknown) =>
        this.#options.log.error({ err }, 'Webhooks could not be sent; trying again at the next change.'),
      )
      .finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    const { turns } = this.#options;
    let sent = 0;
    let unkept: string | undefined;
    for (let next = this.#waiting[0]; next !== undefined && !this.#isOver; next = this.#waiting[0]) {
      // A webhook that was accepted counts, even if the server is closed at that moment.
      if (!(await this.#send(next))) break;
      // If too many waited meanwhile, a gap has replaced it.
      if (this.#waiting[0] === next) this.#waiting.shift();
      sent += 1;
      if (next.cursor !== '') unkept = next.cursor;
      if (unkept === undefined || (this.#waiting.length > 0 && sent % keepEvery !== 0)) continue;
      await turns.keep(unkept);
      unkept = undefined;
    }
    // The turn is over.
    if (unkept !== undefined) await turns.keep(unkept);
  }

  get #isOver(): boolean {
    const { sender, turns } = this.#options;
    return this.#closing.signal.aborted || sender.isGone || !turns.isOwn;
  }

  /** Resolves with true if all webhooks of the change were accepted or given up, with false if the turn has ended. */
  async #send({ cursor, uuids }: UnsentChanges): Promise<boolean> {
    if (uuids === undefined) return this.#deliver(idOf(cursor, 'gap'), 'vcon.gap', {});
    for (const uuid of uuids) {
      if (!(await this.#deliver(idOf(cursor, uuid), await this.#kindOf(uuid), { uuid }))) return false;
    }
    return true;
  }

  #deliver(id: string, type: string, data: object): Promise<boolean> {
    const time = { isOver: () => this.#isOver, signal: this.#closing.signal };
    return this.#options.sender.deliver({ id, type, data }, time);
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
}

function idOf(cursor: string, what: string): string {
  return `msg_${digestOf(`${cursor}\n${what}`).slice(0, 27)}`;
}

// 2025 era: one request per resource, many at the same time. A request without an answer delays neither the
// others nor the caller.
import { ProtocolError } from '@modelcontextprotocol/client';
import { endsWhile, forEachLimited } from '@tidings/live/time';
import { describeError } from '../connection/error/describe-error.ts';
import type { Session } from '../connection/session/session.ts';
import { Retries } from './retries.ts';
import {
  type MissingSubscription,
  type SubscriptionDeps,
  type Subscriptions,
  notYet,
  patienceMs,
} from './subscriptions.ts';

/** A pipe takes any number at once; over HTTP each is a request of its own. */
const atOnce = { stdio: 256, memory: 256, http: 16 };

export class SubscribeRequests implements Subscriptions {
  readonly active = new Set<string>();
  readonly notifiesLists = true;
  readonly #session: Session;
  readonly #deps: SubscriptionDeps;
  readonly #retries: Retries;
  /** Requested, and not answered yet. */
  readonly #pending = new Set<string>();
  /**
   * To be ended, and not answered yet. Over HTTP requests may overtake each other, so they are not subscribed to
   * again before that: the server could end the new subscription.
   */
  readonly #ending = new Set<string>();
  #wanted: ReadonlySet<string> = new Set();
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(session: Session, deps: SubscriptionDeps) {
    this.#session = session;
    this.#deps = deps;
    this.#retries = new Retries(deps.clock, deps.random);
  }

  get retryMs(): number | undefined {
    return this.#retries.dueMs;
  }

  awaits(uri: string): boolean {
    return this.#isUnanswered(uri) || this.#retries.all.get(uri)?.isTransient === true;
  }

  get missing() {
    const { refused, unanswered } = this.#retries.counts;
    const ending = [...this.#ending].filter((uri) => this.#wanted.has(uri));
    return { refused, unanswered: unanswered + this.#pending.size + ending.length };
  }

  async apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<MissingSubscription[]> {
    const { clock } = this.#deps;
    this.#wanted = wanted;
    const due = this.#retries.takeDue();
    const isNew = (uri: string) =>
      wanted.has(uri) && !this.active.has(uri) && !this.#isUnanswered(uri) && !this.#retries.all.has(uri);
    const added = [...new Set([...(changed ?? wanted), ...due])].filter(isNew);
    const removed = (changed ?? [...this.active, ...this.#retries.all.keys()]).filter((uri) => !wanted.has(uri));
    for (const uri of added) this.#pending.add(uri);
    for (const uri of removed) this.#retries.delete(uri);
    const began = clock.now();
    let isOver = false;
    const work = this.#subscribe(added, () => {
      this.#answeredAt = clock.now();
      // The caller does not wait for it any more.
      if (isOver && !this.#isClosed) this.#deps.changed();
    }).then(() => this.#unsubscribe(removed));
    await endsWhile(clock, () => Math.max(began, this.#answeredAt) + patienceMs - clock.now(), work);
    isOver = true;
    this.#retries.schedule();
    const concerned = changed ?? [...this.#retries.all.keys(), ...this.#pending, ...this.#ending];
    return concerned.flatMap((uri) => {
      if (!wanted.has(uri)) return [];
      return this.#retries.all.get(uri) ?? (this.#isUnanswered(uri) ? notYet(uri) : []);
    });
  }

  renew(uris: Iterable<string>): void {
    for (const uri of uris) this.active.delete(uri);
  }

  close(): void {
    this.#isClosed = true;
    this.active.clear();
  }

  async #subscribe(uris: readonly string[], answered: () => void): Promise<void> {
    const { transport } = this.#session;
    const { answerMs, clock } = this.#deps;
    await forEachLimited(uris, atOnce[transport], clock, async (uri) => {
      try {
        await this.#session.subscribe(uri, answerMs);
        if (!this.#isClosed) this.active.add(uri);
      } catch (error) {
        // A missing answer is retried too: of thousands of requests, one may fail because its connection was just
        // closed. The health check notices a server that is gone.
        this.#retries.add({ uri, reason: describeError(error), isTransient: !(error instanceof ProtocolError) });
      }
      this.#pending.delete(uri);
      answered();
    });
  }

  async #unsubscribe(uris: readonly string[]): Promise<void> {
    const { client, transport } = this.#session;
    const { answerMs, clock } = this.#deps;
    await forEachLimited(uris, atOnce[transport], clock, async (uri) => {
      // The URI may be wanted again by now.
      if (this.#wanted.has(uri) || !this.active.delete(uri)) return;
      this.#ending.add(uri);
      // A server that does not unsubscribe keeps notifying; that is ignored.
      await client.unsubscribeResource({ uri }, { timeout: answerMs }).catch(() => undefined);
      this.#ending.delete(uri);
      this.#answeredAt = clock.now();
      if (this.#wanted.has(uri) && !this.#isClosed) this.#deps.changed();
    });
  }

  #isUnanswered(uri: string): boolean {
    return this.#pending.has(uri) || this.#ending.has(uri);
  }
}

// 2025 era: one request per resource, many on their way at once.
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { describeError } from '../connection/describe-error.ts';
import type { Session } from '../connection/session.ts';
import { forEachLimited } from '../pipeline.ts';
import type { Refusal, Subscriptions } from './subscriptions.ts';

/** A pipe takes any number at once; over HTTP each is a request of its own. */
const atOnce = { stdio: 256, memory: 256, http: 16 };
const answerMs = 15_000;

export class LegacySubscriptions implements Subscriptions {
  readonly active = new Set<string>();
  readonly #session: Session;

  readonly #clock: Clock;

  constructor(session: Session, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  async apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<Refusal[]> {
    const { client, transport } = this.#session;
    const options = { timeout: answerMs };
    const refusals: Refusal[] = [];
    const added = (changed ?? [...wanted]).filter((uri) => wanted.has(uri) && !this.active.has(uri));
    const removed = (changed ?? [...this.active]).filter((uri) => this.active.has(uri) && !wanted.has(uri));
    await forEachLimited(added, atOnce[transport], this.#clock, async (uri) => {
      try {
        await client.subscribeResource({ uri }, options);
        this.active.add(uri);
      } catch (error) {
        // Also where nobody answered: among thousands of requests one may fall victim to a connection that
        // was just closed. That the server is gone shows elsewhere.
        refusals.push({ uri, reason: describeError(error), isTransient: !(error instanceof ProtocolError) });
      }
    });
    await forEachLimited(removed, atOnce[transport], this.#clock, async (uri) => {
      this.active.delete(uri);
      // A server that does not let go goes on telling, and is not listened to.
      await client.unsubscribeResource({ uri }, options).catch(() => undefined);
    });
    return refusals;
  }

  renew(uris: Iterable<string>): void {
    for (const uri of uris) this.active.delete(uri);
  }

  close(): void {
    this.active.clear();
  }
}

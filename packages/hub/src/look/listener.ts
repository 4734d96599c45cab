// What a server announces, with one face for both eras: say which URIs matter, hear of them, and hear
// when nothing more will come. A server that fell silent must not look like one where nothing happens.
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { type Clock, type Timer, systemClock } from '@tidings/live';
import { inTurns } from './in-turns.ts';
import { reasonOf } from './request-failure.ts';

export interface Ears {
  updated(uri: string): void;
  listChanged(): void;
  /** Nothing will be heard any more on this connection. */
  lost(reason: string): void;
}

/** The URIs a server did not agree to, with its reasons. */
type Refusals = ReadonlyMap<string, string>;

export interface Listener {
  /** Whether changes of the list are announced. */
  readonly hearsList: boolean;
  /** From now on these URIs, and no others. Resolves when that is in force. */
  listenTo(uris: readonly string[]): Promise<Refusals>;
  /** Stops listening; the connection stays. */
  close(): void;
}

export function listenerOn(client: Client, ears: Ears, clock: Clock = systemClock): Listener {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => ears.updated(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => ears.listChanged());
  client.onclose = () => ears.lost('the connection was closed');
  return client.getProtocolEra() === 'modern'
    ? new ModernListener(client, ears)
    : new LegacyListener(client, ears, clock);
}

class ModernListener implements Listener {
  readonly #client: Client;
  readonly #ears: Ears;
  #current: McpSubscription | undefined;

  constructor(client: Client, ears: Ears) {
    this.#client = client;
    this.#ears = ears;
  }

  get hearsList(): boolean {
    return this.#client.getServerCapabilities()?.resources?.listChanged === true;
  }

  async listenTo(uris: readonly string[]): Promise<Refusals> {
    // The new stream before the old one ends: nothing is missed in between.
    const previous = this.#current;
    const wish = { resourceSubscriptions: [...uris], resourcesListChanged: true };
    const next = await this.#client.listen(wish);
    this.#current = next;
    await previous?.close();
    void next.closed.then((cause) => {
      if (this.#current === next && cause !== 'local') this.#ears.lost('the server ended the stream');
    });
    const honored = new Set(next.honoredFilter.resourceSubscriptions);
    const refused = uris.filter((uri) => !honored.has(uri));
    return new Map(refused.map((uri) => [uri, 'the server does not announce its changes']));
  }

  close(): void {
    this.#current = undefined;
  }
}

const pingEveryMs = 15_000;
const pingPatienceMs = 10_000;

class LegacyListener implements Listener {
  readonly #client: Client;
  readonly #ears: Ears;
  readonly #clock: Clock;
  readonly #subscribed = new Set<string>();
  #timer: Timer;

  constructor(client: Client, ears: Ears, clock: Clock) {
    this.#client = client;
    this.#ears = ears;
    this.#clock = clock;
    // Over HTTP a stream that breaks is only reported as an error; on a pipe an error is a line that was no message.
    const isPipe = client.transport !== undefined && 'pid' in client.transport;
    if (!isPipe) client.onerror = (error) => ears.lost(error.message);
    this.#timer = this.#nextPing();
  }

  get hearsList(): boolean {
    return this.#client.getServerCapabilities()?.resources?.listChanged === true;
  }

  async listenTo(uris: readonly string[]): Promise<Refusals> {
    const wanted = new Set(uris);
    const refusals = new Map<string, string>();
    const gone = [...this.#subscribed].filter((uri) => !wanted.has(uri));
    await inTurns(gone, async (uri) => {
      this.#subscribed.delete(uri);
      // The resource may be gone, and its subscription with it.
      await this.#client.unsubscribeResource({ uri }).catch(() => undefined);
    });
    const added = uris.filter((uri) => !this.#subscribed.has(uri));
    await inTurns(added, async (uri) => {
      try {
        await this.#client.subscribeResource({ uri });
        this.#subscribed.add(uri);
      } catch (error) {
        refusals.set(uri, reasonOf(error));
      }
    });
    return refusals;
  }

  close(): void {
    this.#timer.cancel();
  }

  /** A session without a stream would never notice that its server is gone. */
  #nextPing(): Timer {
    return this.#clock.after(pingEveryMs, () => {
      this.#client.ping({ timeout: pingPatienceMs }).then(
        () => {
          this.#timer = this.#nextPing();
        },
        (error: unknown) => this.#ears.lost(reasonOf(error)),
      );
    });
  }
}

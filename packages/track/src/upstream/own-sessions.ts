// Sessions with a server besides the shared one, each for one caller who can be asked. They end with the server.
import type { Client } from '@modelcontextprotocol/client';
import type { Conceal } from '../connection/concealer.ts';
import { ignoredEvents } from '../connection/ignored-events.ts';
import type { CallListener } from '../connection/running-calls.ts';
import type { OpenSession, Session } from '../connection/session.ts';
import type { SessionClient } from '../connection/session-client.ts';
import { fromConnection } from '../connection/upstream-error.ts';

export interface OwnSessionOptions extends SessionClient {
  /** Ends the attempt to open it. */
  signal: AbortSignal;
  /** The session is lost: requests on it are not answered any more. It still has to be closed. */
  lost(this: void): void;
}

export type OwnSession = Pick<Session, 'era' | 'capabilities' | 'work' | 'close'>;

export class OwnSessions {
  readonly #serverId: string;
  readonly #open: OpenSession;
  readonly #conceal: Conceal;
  readonly #sessions = new Set<Session>();

  constructor(serverId: string, open: OpenSession, conceal: Conceal) {
    this.#serverId = serverId;
    this.#open = open;
    this.#conceal = conceal;
  }

  async open({ signal, lost, ...client }: OwnSessionOptions): Promise<OwnSession> {
    // Notifications here concern resources, which the shared session follows.
    const events = ignoredEvents(lost);
    const session = await this.#open(signal, events, { handshakeMs: undefined, client }).catch(this.#rethrow);
    this.#sessions.add(session);
    return {
      era: session.era,
      capabilities: session.capabilities,
      work: <T>(on: (client: Client) => Promise<T>, listener?: CallListener) =>
        session.work(on, listener).catch(this.#rethrow),
      close: () => this.#close(session),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => this.#close(session)));
  }

  async #close(session: Session): Promise<void> {
    if (this.#sessions.delete(session)) await session.close();
  }

  readonly #rethrow = (error: unknown): never => {
    throw fromConnection(this.#serverId, error, this.#conceal);
  };
}

// Sessions with a server besides the shared one, each for one caller. They end with the server. What they notify is a
// reason to look at the shared session, which follows the resources: a process of its own may have a state of its own.
import type { Client } from '@modelcontextprotocol/client';
import type { Conceal } from '../connection/concealer.ts';
import { ignoredEvents } from '../connection/ignored-events.ts';
import type { CallListener } from '../connection/running-calls.ts';
import type { OpenSession, Session, SessionEvents } from '../connection/session.ts';
import type { SessionClient } from '../connection/session-client.ts';
import { fromConnection } from '../connection/upstream-error.ts';

export interface OwnSessionOptions extends SessionClient {
  /** Ends the attempt to open it. */
  signal: AbortSignal;
  /** The session is lost: requests on it are not answered any more. It still has to be closed. */
  lost(this: void): void;
}

export type OwnSession = Pick<Session, 'era' | 'capabilities' | 'work' | 'close'>;

export interface OwnSessionsDeps {
  serverId: string;
  open: OpenSession;
  conceal: Conceal;
  /** The server has notified a change of this resource in one of them. */
  updated(this: void, uri: string): void;
  listChanged: SessionEvents['listChanged'];
}

export class OwnSessions {
  readonly #deps: OwnSessionsDeps;
  /** With what to call when they are ended from here. */
  readonly #sessions = new Map<Session, () => void>();

  constructor(deps: OwnSessionsDeps) {
    this.#deps = deps;
  }

  async open({ signal, lost, ...client }: OwnSessionOptions): Promise<OwnSession> {
    const { open, updated, listChanged } = this.#deps;
    const events: SessionEvents = {
      ...ignoredEvents(lost),
      updated: (uri) => {
        updated(uri);
        return true;
      },
      listChanged,
    };
    const session = await open(signal, events, { handshakeMs: undefined, client }).catch(this.#rethrow);
    this.#sessions.set(session, lost);
    return {
      era: session.era,
      capabilities: session.capabilities,
      work: <T>(on: (client: Client) => Promise<T>, listener?: CallListener) =>
        session.work(on, listener).catch(this.#rethrow),
      close: () => this.#close(session),
    };
  }

  /** Ends them all: their callers open new ones. */
  async close(): Promise<void> {
    const ended = [...this.#sessions];
    await Promise.all(
      ended.map(([session, lost]) => {
        lost();
        return this.#close(session);
      }),
    );
  }

  async #close(session: Session): Promise<void> {
    if (this.#sessions.delete(session)) await session.close();
  }

  readonly #rethrow = (error: unknown): never => {
    throw fromConnection(this.#deps.serverId, error, this.#deps.conceal);
  };
}

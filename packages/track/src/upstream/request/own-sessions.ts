// Sessions with a server besides the shared one, each for one caller. They end when the server is stopped. Their
// notifications only cause a read on the shared session, which follows the resources: a separate process may have
// separate state.
import type { Client } from '@modelcontextprotocol/client';
import type { Conceal } from '../../connection/error/concealer.ts';
import { ignoredEvents } from '../../connection/session/ignored-events.ts';
import type { CallListener } from '../../connection/message/running-calls.ts';
import type { OpenSession, Session, SessionEvents } from '../../connection/session/session.ts';
import type { SessionClient } from '../../connection/session/session-client.ts';
import { fromConnection } from '../../connection/error/upstream-error.ts';

export interface OwnSessionOptions extends SessionClient {
  /** Ends the attempt to open the session. */
  signal: AbortSignal;
  /** Called when the session is lost: its requests get no more answers. The session must still be closed. */
  lost(this: void): void;
}

export type OwnSession = Pick<Session, 'era' | 'capabilities' | 'work' | 'watchTasks' | 'close'>;

interface OwnSessionsDeps {
  serverId: string;
  open: OpenSession;
  conceal: Conceal;
  /** The server has notified a change of this resource on one of these sessions. */
  updated(this: void, uri: string): void;
  listChanged: SessionEvents['listChanged'];
}

export class OwnSessions {
  readonly #deps: OwnSessionsDeps;
  /** The sessions, with the callback for the case that this object ends them. */
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
      watchTasks: session.watchTasks,
      close: () => this.#close(session),
    };
  }

  /** Ends all sessions; their callers open new ones. */
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

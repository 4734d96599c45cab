// Sessions with a server besides the shared one, each for one caller. They end when the server is stopped. Their
// notifications only cause a read on the shared session, which follows the resources: a separate process may have
// separate state.
import type { Client } from '@modelcontextprotocol/client';
import { onAbort } from '@tidings/live/time';
import type { Conceal } from '../../connection/error/concealer.ts';
import { ignoredEvents } from '../../connection/session/ignored-events.ts';
import type { CallListener } from '../../connection/message/running-calls.ts';
import type { OpenSession, Session, SessionEvents } from '../../connection/session/session.ts';
import type { SessionClient } from '../../connection/session/session-client.ts';
import { fromConnection, unavailable } from '../../connection/error/upstream-error.ts';

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
  readonly #opening = new Set<Promise<unknown>>();
  /** Ends the attempts to open a session. */
  #closing = new AbortController();

  constructor(deps: OwnSessionsDeps) {
    this.#deps = deps;
  }

  async open(options: OwnSessionOptions): Promise<OwnSession> {
    const attempt = new AbortController();
    const closing = this.#closing.signal;
    const unlink = [options.signal, closing].map((each) => onAbort(each, (reason) => attempt.abort(reason)));
    const opening = this.#open(options, attempt.signal, closing);
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
      for (const stop of unlink) stop();
    }
  }

  async #open(
    { signal: _signal, lost, ...client }: OwnSessionOptions,
    signal: AbortSignal,
    closing: AbortSignal,
  ): Promise<OwnSession> {
    const { open, updated, listChanged } = this.#deps;
    const events: SessionEvents = {
      ...ignoredEvents(lost),
      updated: (uri) => {
        updated(uri);
        return true;
      },
      listChanged,
    };
    const session = await open(signal, events, { handshakeMs: undefined, client }).catch((error: unknown) => {
      closing.throwIfAborted();
      return this.#rethrow(error);
    });
    if (closing.aborted) {
      await session.close();
      throw closing.reason;
    }
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

  /** Ends all sessions, also those that are being opened; their callers open new ones. */
  async close(): Promise<void> {
    this.#closing.abort(unavailable(this.#deps.serverId, 'its connections were closed. Try again.'));
    this.#closing = new AbortController();
    const ended = [...this.#sessions].map(([session, lost]) => {
      lost();
      return this.#close(session);
    });
    await Promise.all([...ended, Promise.allSettled(this.#opening)]);
  }

  async #close(session: Session): Promise<void> {
    if (this.#sessions.delete(session)) await session.close();
  }

  readonly #rethrow = (error: unknown): never => {
    throw fromConnection(this.#deps.serverId, error, this.#deps.conceal);
  };
}

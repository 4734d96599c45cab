// A session with the server that an import reads from, with the same limits as for every server: size and shape of
// messages, and time to answer.
import type { Client } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { type ServerSession, connectServer } from '@tidings/track/session';

interface RemoteSessionOptions {
  url: URL;
  token: string | undefined;
  maxMessageBytes: number;
}

/** Nothing is logged: the failed request reports the problem. */
const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

export class RemoteSession {
  readonly #session: ServerSession;
  readonly #lost: AbortSignal;

  private constructor(session: ServerSession, lost: AbortSignal) {
    this.#session = session;
    this.#lost = lost;
  }

  /** Rejects with a `ConnectFailure`. */
  static async open({ url, token, maxMessageBytes }: RemoteSessionOptions): Promise<RemoteSession> {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const lost = new AbortController();
    const session = await connectServer(
      { id: 'import', url: url.href, headers, enabled: true, trackResources: false },
      {
        signal: new AbortController().signal,
        log: noLog,
        lost: (reason) =>
          lost.abort(new LiveError('UNAVAILABLE', `The connection to ${url.origin} was lost: ${reason}`)),
        maxMessageBytes,
      },
    );
    return new RemoteSession(session, lost.signal);
  }

  get hasTools(): boolean {
    return this.#session.capabilities.tools !== undefined;
  }

  /** Also rejects if the connection is lost, since no answer follows. */
  ask<T>(request: (client: Client) => Promise<T>): Promise<T> {
    const lost = this.#lost;
    return new Promise((resolve, reject) => {
      const fail = () => reject(lost.reason);
      if (lost.aborted) return fail();
      lost.addEventListener('abort', fail, { once: true });
      const done = () => lost.removeEventListener('abort', fail);
      this.#session.work(request).then(resolve, reject).finally(done);
    });
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

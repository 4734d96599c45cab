// A session with the server that an import reads from, with the same limits as for every server: size and shape of
// messages, and time to answer.
import { LiveError } from '@tidings/live';
import { type ServerSession, connectServer } from '@tidings/track/session';

interface RemoteSessionOptions {
  url: URL;
  token: string | undefined;
  maxMessageBytes: number;
}

/** Logs nothing, because the failed request reports the problem. */
const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Rejects with a `ConnectFailure`. */
export function openRemoteSession({ url, token, maxMessageBytes }: RemoteSessionOptions): Promise<ServerSession> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return connectServer(
    { id: 'import', url: url.href, headers, enabled: true, trackResources: false },
    {
      signal: new AbortController().signal,
      log: noLog,
      lost: (reason) => new LiveError('UNAVAILABLE', `The connection to ${url.origin} was lost: ${reason}`),
      maxMessageBytes,
    },
  );
}

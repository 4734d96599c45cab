// The response of a server to a client that has not logged in, determined by connecting to it like the tracker.
import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { UrlEntry } from './config/config.ts';
import { type ConnectOptions, connectServer } from './connect-server.ts';
import type { Challenge } from './login/login-grant.ts';

type ChallengeOptions = Pick<ConnectOptions, 'signal' | 'log'> & { fetch?: typeof fetch };

/** Undefined if the server requires no login. Rejects with a `ConnectFailure` if it cannot be reached. */
export async function loginChallenge(entry: UrlEntry, options: ChallengeOptions): Promise<Challenge | undefined> {
  const { fetch: given = fetch } = options;
  let challenge: Challenge | undefined;
  const listening: typeof fetch = async (input, init) => {
    const response = await given(input, init);
    if (response.status === 401) challenge ??= extractWWWAuthenticateParams(response);
    return response;
  };
  try {
    // Without the configured client: a machine's client would log in by itself.
    const { oauth: _oauth, ...entryWithoutLogin } = entry;
    const session = await connectServer(entryWithoutLogin, { ...options, fetch: listening });
    await session.close();
  } catch (error) {
    if (challenge === undefined) throw error;
  }
  if (challenge !== undefined) return challenge;
  // Some servers require a login for certain requests only, and publish beforehand where to log in.
  return discoverOAuthProtectedResourceMetadata(entry.url, {}, given).then(
    () => ({}),
    () => undefined,
  );
}

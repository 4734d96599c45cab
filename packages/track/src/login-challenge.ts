// What a server says to a client that has not logged in: found out by connecting to it, as the tracker does.
import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { UrlEntry } from './config/config.ts';
import { type ConnectOptions, connectServer } from './connect-server.ts';
import type { Challenge } from './login/login-grant.ts';

export type ChallengeOptions = Pick<ConnectOptions, 'signal' | 'log'> & { fetch?: typeof fetch };

/** Undefined: it asks for none. Rejects with a `ConnectFailure` if it cannot be reached. */
export async function loginChallenge(entry: UrlEntry, options: ChallengeOptions): Promise<Challenge | undefined> {
  const { fetch: given = fetch } = options;
  let challenge: Challenge | undefined;
  const listening: typeof fetch = async (input, init) => {
    const response = await given(input, init);
    if (response.status === 401) challenge ??= extractWWWAuthenticateParams(response);
    return response;
  };
  try {
    // Without its own client: a machine would log in by itself.
    const { oauth: _oauth, ...asked } = entry;
    const session = await connectServer(asked, { ...options, fetch: listening });
    await session.close();
  } catch (error) {
    if (challenge === undefined) throw error;
  }
  if (challenge !== undefined) return challenge;
  // Some ask for a login at certain requests only, and say beforehand where.
  return discoverOAuthProtectedResourceMetadata(entry.url, {}, given).then(
    () => ({}),
    () => undefined,
  );
}

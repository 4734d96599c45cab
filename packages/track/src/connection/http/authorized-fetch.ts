// A fetch that adds the access token of the login to requests. A token that the server rejects is replaced once; if
// there is no other token, the server's answer is returned.
import type { ServerLogin } from '../../login/server-login.ts';

const unauthorized = 401;
const forbidden = 403;

/** Only requests to `origin`, the server's own, get the token. */
export function authorizedFetch(base: typeof fetch, login: ServerLogin | undefined, origin: string): typeof fetch {
  if (login === undefined) return base;
  return async (input, init = {}) => {
    if (new URL(input instanceof Request ? input.url : input).origin !== origin) return base(input, init);
    const token = login.isReady ? login.accessToken : await login.token();
    const response = await base(input, withToken(init, token));
    if (response.status === forbidden) await login.refused(response);
    if (response.status !== unauthorized) return response;
    const drop = async () => response.body?.cancel();
    const other = await login.another(token, response).catch(async (error: unknown) => {
      await drop();
      throw error;
    });
    if (other === undefined) return response;
    await drop();
    const again = await base(input, withToken(init, other));
    if (again.status === unauthorized) login.rejectedAgain(other);
    return again;
  };
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

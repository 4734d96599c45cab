// `/api/logins`: the caller's own logins at servers with logins per user. Tokens pass in neither direction: a user sends
// the code, which is worth nothing without the secret that stays in the hub.
import type { HttpBindings } from '@hono/node-server';
import { type UserLoginsAnswer, loginCallback, loginRequest } from '@tidings/client/contract';
import { LiveError } from '@tidings/live';
import type { UrlEntry } from '@tidings/track';
import {
  ConnectFailure,
  LoginRefused,
  type UserLogin,
  type UserLogins,
  answerProblem,
  concealer,
  isPerUser,
  quotedLine,
  usesOAuth,
} from '@tidings/track/internal';
import type { Hono } from 'hono';
import { userOf } from '../../access/user-of.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { HttpAudit } from '../admission/http-audit.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import { bodyOf } from '../message/body.ts';
import { json } from '../message/json.ts';

interface LoginRoutesDeps {
  userLogins: UserLogins;
  gateways: Pick<CallerGateways, 'of' | 'renew'>;
  callers: Pick<RequestCallers, 'callerOf'>;
  audit: Pick<HttpAudit, 'decided'>;
}

export function loginRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { userLogins, gateways: all, callers, audit }: LoginRoutesDeps,
): void {
  /** The user, and the server as this user sees it. */
  const chosen = (req: HttpBindings['incoming'], id: string): { user: string; entry: UrlEntry } => {
    const caller = callers.callerOf(req);
    const gateways = all.of(caller);
    const upstream = gateways.permissionsOf(caller).sees(id) ? gateways.find(id) : undefined;
    if (upstream === undefined) throw unknown(id);
    if (!usesOAuth(upstream.entry)) throw new LiveError('INVALID_PARAMS', `"${id}" can be used without a login.`);
    const user = userOf(caller);
    if (user === undefined || !isPerUser(upstream.entry)) throw ofTheHub(id, isPerUser(upstream.entry));
    if (!upstream.entry.enabled) throw new LiveError('UNAVAILABLE', `The server "${id}" is not enabled.`);
    return { user, entry: upstream.entry };
  };

  app.get('/api/logins', async (c) => {
    const caller = callers.callerOf(c.env.incoming);
    const gateways = all.of(caller);
    const permissions = gateways.permissionsOf(caller);
    const user = userOf(caller);
    const entries = [...gateways.upstreams].map(({ entry }) => entry).filter(isPerUser);
    const logins: UserLoginsAnswer['logins'] = [];
    for (const entry of entries) {
      if (user === undefined || !permissions.sees(entry.id)) continue;
      const { login, redirectUri } = await userLogins.of(user, entry);
      logins.push({ server: entry.id, login: login ? shown(login) : null, ...(redirectUri && { redirectUri }) });
    }
    return json({ logins });
  });

  app.post('/api/logins/:id', async (c) => {
    const { user, entry } = chosen(c.env.incoming, c.req.param('id'));
    const { redirectUri, scope } = loginRequest.parse(await bodyOf(c.env.incoming));
    const { address, until } = await userLogins
      .begin(user, entry, { redirectUri, scope })
      .catch(throwLoginFailure(entry));
    return json({ address: address.href, until: new Date(until).toISOString() }, 201);
  });

  app.post('/api/logins/:id/callback', async (c) => {
    const { user, entry } = chosen(c.env.incoming, c.req.param('id'));
    const given = loginCallback.parse(await bodyOf(c.env.incoming));
    const parameters = Object.entries(given).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const callback = new URLSearchParams(parameters);
    const login = await userLogins.finish(user, entry, callback).catch(throwLoginFailure(entry));
    all.renew(callers.callerOf(c.env.incoming), entry.id);
    audit.decided(c.env.incoming, { method: 'server-login', server: entry.id, detail: login.issuer });
    return json({ server: entry.id, ...shown(login) });
  });

  app.delete('/api/logins/:id', async (c) => {
    const { user, entry } = chosen(c.env.incoming, c.req.param('id'));
    const { wasLoggedIn, revoked, reason } = await userLogins.end(user, entry);
    all.renew(callers.callerOf(c.env.incoming), entry.id);
    if (!wasLoggedIn) throw new LiveError('RESOURCE_NOT_FOUND', `You are not logged in to "${entry.id}".`);
    audit.decided(c.env.incoming, { method: 'server-logout', server: entry.id, detail: `revoked: ${revoked}` });
    return json({ server: entry.id, revoked, ...(reason !== undefined && { reason }) });
  });
}

function shown({ issuer, scope, expiresAt, renews }: UserLogin) {
  const expires = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  return { issuer, ...(scope !== undefined && { scope }), ...(expires !== undefined && { expires }), renews };
}

function unknown(id: string): LiveError {
  const message = `There is no server "${id}" that you may use. With the same --hub, "tidings list --servers" shows those there are.`;
  return new LiveError('RESOURCE_NOT_FOUND', message);
}

function ofTheHub(id: string, isPerUser: boolean): LiveError {
  const whose = isPerUser ? `You are the operator of this hub, whose login at "${id}"` : `The login at "${id}"`;
  return new LiveError('PERMISSION_DENIED', `${whose} is the hub's: run "tidings login ${id}" on its machine.`);
}

/** Quotes the server and its authorization server, which may quote secrets of the entry. */
function throwLoginFailure(entry: UrlEntry): (error: unknown) => never {
  const conceal = concealer(entry);
  return (error) => {
    if (error instanceof LiveError) throw error;
    if (error instanceof LoginRefused) throw new LiveError('PERMISSION_DENIED', conceal(error.message));
    const { message } = error instanceof ConnectFailure ? error : answerProblem(error);
    const problem = quotedLine(conceal(message));
    throw Object.assign(new LiveError('UNAVAILABLE', `The login has failed: ${problem}`), { cause: error });
  };
}

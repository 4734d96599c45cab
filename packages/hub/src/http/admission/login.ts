// `/login` and `/logout`: a browser sends its token once, in the body of a form, and gets a session cookie.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WhoAmI } from '@tidings/client/contract';
import { LimitExceeded, errorCodes } from '@tidings/live';
import { sessionLifeMs } from '../../access/token/browser-session.ts';
import type { Admission, Admitted } from './admission.ts';
import { HttpRefusal } from '../message/answer.ts';
import { assertJson, bodyText } from '../message/body.ts';
import type { Forwarded } from '../message/forwarded.ts';
import type { HttpAudit } from './http-audit.ts';
import { isForBrowser, sendLogInPage } from './log-in-page.ts';
import { cookieHeader } from './session-cookie.ts';

interface LoginDeps {
  admission: Admission;
  forwarded: Forwarded;
  audit: Pick<HttpAudit, 'login'>;
  /** Closes the responses of sessions that have ended. */
  review(this: void): void;
}

const wrongToken = 'The hub does not have this token.';
const inAddress =
  'A token in the URL is not accepted: URLs are kept in histories and logs. Enter it here, or open /#token=… instead.';

export class Login {
  readonly #deps: LoginDeps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
  }

  /** True if the request was for one of these routes and has been answered; `/` with a token in its query is one. */
  async handle(req: IncomingMessage, res: ServerResponse, { pathname, searchParams }: URL): Promise<boolean> {
    if (pathname === '/' && searchParams.has('token')) await this.#tokenInAddress(req, res);
    else if (pathname === '/login' && req.method === 'POST') await this.#logIn(req, res);
    else if (pathname === '/login') await this.#show(req, res);
    else if (pathname === '/logout' && req.method === 'POST') await this.#logOut(req, res);
    else return false;
    return true;
  }

  /** Shows the login page to a browser without credentials. True if it did. */
  ask(req: IncomingMessage, res: ServerResponse, pathname: string): boolean {
    if (pathname !== '/' || !isForBrowser(req)) return false;
    sendLogInPage(res, 401);
    return true;
  }

  async #show(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if ((await this.#deps.admission.of(req, '/login')) === undefined) sendLogInPage(res, 200);
    else toStart(res);
  }

  async #tokenInAddress(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if ((await this.#deps.admission.of(req, '/')) !== undefined) return toStart(res);
    if (isForBrowser(req)) return sendLogInPage(res, 401, inAddress);
    throw new HttpRefusal(401, 'PERMISSION_DENIED', `${inAddress} Programs send "Authorization: Bearer …".`);
  }

  async #logIn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { admission, forwarded, audit } = this.#deps;
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
      throw new HttpRefusal(415, 'INVALID_PARAMS', 'Send the token as the form at / does: token=… in the body.');
    }
    const token = new URLSearchParams(await bodyText(req)).get('token') ?? '';
    try {
      const session = admission.logIn(req, token);
      // Without configured tokens every request is admitted, so any token will do.
      if (session === undefined && (await admission.of(req, '/login')) === undefined) {
        audit.login(req, 'login', { who: '-', outcome: 'refused', code: 'WRONG_TOKEN' });
        return sendLogInPage(res, 401, wrongToken);
      }
      if (session !== undefined) {
        audit.login(req, 'login', { who: session.principal.subject, outcome: 'ok' });
        const settings = { isTls: forwarded.isTls(req), host: req.headers.host };
        res.setHeader('Set-Cookie', cookieHeader(settings, session.value, sessionLifeMs / 1000));
      }
      toStart(res);
    } catch (error) {
      if (!(error instanceof LimitExceeded) || !isForBrowser(req)) throw error;
      audit.login(req, 'login', { who: '-', outcome: 'refused', code: error.code });
      res.setHeader('Retry-After', error.retryAfter);
      sendLogInPage(res, errorCodes[error.code].http, error.message);
    }
  }

  async #logOut(req: IncomingMessage, res: ServerResponse): Promise<void> {
    assertJson(req);
    const { admission, forwarded, audit, review } = this.#deps;
    const admitted = await admission.of(req, '/logout');
    if (admitted?.session !== undefined) {
      admission.logOut(admitted.session);
      audit.login(req, 'logout', { who: admitted.principal.subject, outcome: 'ok' });
      review();
    }
    res.setHeader('Set-Cookie', cookieHeader({ isTls: forwarded.isTls(req), host: req.headers.host }, '', 0));
    res.writeHead(204).end();
  }
}

/** `GET /api/whoami`. */
export function answerWhoAmI({ principal, session }: Admitted): WhoAmI {
  return {
    subject: principal.subject,
    whole: principal.grant.isWhole,
    /** Null for a caller without a browser login, which cannot log out. */
    loggedInUntil: session === undefined ? null : new Date(session.expiresAt).toISOString(),
  };
}

function toStart(res: ServerResponse): void {
  res.writeHead(303, { Location: '/' }).end();
}

// Responds to requests that are refused or fail: one JSON form of errors, the `WWW-Authenticate` header, and a record in
// the audit log.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@tidings/live';
import { bearerTokenOf, requestTarget } from '@tidings/live/internal';
import type { Principal } from '../../access/grant.ts';
import { TokenRefused } from '../../access/issuer/token-refused.ts';
import { answerForError, retryAfterOf, sendJson, unauthenticated } from '../message/answer.ts';
import type { HttpAudit } from './http-audit.ts';
import type { ProtectedResource } from './protected-resource.ts';

interface ErrorResponsesDeps {
  audit: Pick<HttpAudit, 'failed' | 'refused'>;
  resource: ProtectedResource;
  log: Log;
}

export class ErrorResponses {
  readonly #deps: ErrorResponsesDeps;

  constructor(deps: ErrorResponsesDeps) {
    this.#deps = deps;
  }

  /** `principal`: the caller, if it is known. */
  answer(req: IncomingMessage, res: ServerResponse, error: unknown, principal: Principal | undefined): void {
    const { audit, log } = this.#deps;
    const { status, body } = answerForError(error, log);
    audit.failed(req, body.error.code);
    audit.refused(req, status, { principal, subject: ownerOf(error) });
    if (!res.headersSent) {
      const retryAfter = retryAfterOf(error);
      if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
      if (error instanceof TokenRefused) this.#challenge(req, res, error);
    }
    sendJson(res, status, body);
  }

  /** For a request without valid credentials. */
  unauthenticated(req: IncomingMessage, res: ServerResponse): void {
    const { status, body } = unauthenticated();
    this.#deps.audit.refused(req, status);
    const isWrong = bearerTokenOf(req) !== undefined;
    this.#challenge(req, res, isWrong ? new TokenRefused('invalid_token', body.error.message) : undefined);
    sendJson(res, status, body);
  }

  #challenge(req: IncomingMessage, res: ServerResponse, refused: TokenRefused | undefined): void {
    // No challenge: the client's next token would be refused, too.
    if (refused?.problem === 'not_granted') return;
    const pathname = requestTarget(req)?.pathname ?? '/';
    res.setHeader('WWW-Authenticate', this.#deps.resource.challenge(req, pathname, refused));
  }
}

/** The owner of a genuine token that was refused. */
function ownerOf(error: unknown): string | undefined {
  return error instanceof TokenRefused ? error.subject : undefined;
}

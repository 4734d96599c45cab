// Records HTTP requests in the audit log: MCP requests as their endpoints report them, all others when they have been
// answered. Pages, their files and health checks are left out.
import { decodedIfValid, startOf } from '@tidings/live/portable';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, type Clock, type Observe } from '@tidings/live';
import { requestTarget, whenClosed } from '@tidings/live/internal';
import { type Principal, grantOf } from '../../access/grant.ts';
import { ownTools } from '../../access/own-tools.ts';
import type { AuditEntry, AuditLog } from '../../audit/audit-log.ts';
import { auditCode, outcomeOf } from '../../audit/audit-code.ts';
import { auditEntryOf } from '../../audit/audited-request.ts';
import { RefusalWindow } from '../../audit/refusal-window.ts';
import { withoutSecretsInUri } from '../../base/without-secrets.ts';
import type { Admitted } from './admission.ts';
import type { RequestCallers } from './request-callers.ts';
import type { Forwarded } from '../message/forwarded.ts';

interface HttpAuditDeps {
  audit: AuditLog;
  callers: Pick<RequestCallers, 'admittedOf'>;
  forwarded: Forwarded;
  clock: Clock;
  /** Whether arguments are recorded too. */
  withArguments: () => boolean;
}

const resources = '/resources/';
const unsupportedMediaType = 415;

interface RefusedCaller {
  /** The caller, if it was admitted. */
  principal?: Principal | undefined;
  /** The owner of a genuine token that grants nothing. */
  subject?: string | undefined;
}

export class HttpAudit {
  readonly #deps: HttpAuditDeps;
  readonly #refusals: RefusalWindow;
  readonly #followed = new WeakSet<IncomingMessage>();
  readonly #codes = new WeakMap<IncomingMessage, string>();
  readonly #done = new WeakSet<IncomingMessage>();
  /** Record the requests whose clients have left before the answer, and which are still worked on. */
  readonly #left = new Map<IncomingMessage, () => void>();

  constructor(deps: HttpAuditDeps) {
    this.#deps = deps;
    this.#refusals = new RefusalWindow(deps.audit, deps.clock);
  }

  /** The observer for the endpoint of all servers, or of one. */
  observer(server?: string): Observe {
    const { audit, withArguments } = this.#deps;
    const mayUse = (caller: Caller, method: string, name: string) => {
      const grant = grantOf(caller);
      return method.startsWith('tools/')
        ? ownTools.has(name) || grant.namesTool(server, name)
        : grant.namesPrompt(server, name);
    };
    return (request) => audit.record(auditEntryOf(request, { server, withArguments: withArguments(), mayUse }));
  }

  /**
   * Records this request when it is answered, or done if its client leaves before that; the returned function records it
   * at once, for streams.
   */
  follow(req: IncomingMessage, res: ServerResponse, admitted: Admitted): () => void {
    const { clock } = this.#deps;
    const startedAt = clock.now();
    this.#followed.add(req);
    // Read now: after the connection is closed, its address is not available.
    const request = this.#requestOf(req);
    let isRecorded = false;
    const record = (code = res.statusCode >= 400 ? this.#codeOf(req, res.statusCode) : undefined) => {
      if (isRecorded) return;
      isRecorded = true;
      const ms = Math.round((clock.now() - startedAt) * 100) / 100;
      this.#deps.audit.record({ ...request, who: admitted.principal.subject, outcome: outcomeOf(code), code, ms });
    };
    // A status is set although it is not sent. Cancelled work may fail with any error.
    const recordLeft = () => record(res.headersSent && res.statusCode < 500 ? undefined : 'CANCELLED');
    whenClosed(res, () => {
      if (res.headersSent) record();
      else if (this.#done.has(req)) recordLeft();
      else this.#left.set(req, recordLeft);
    });
    return () => record();
  }

  /** Call it when the work for a request is done: its client may have left before. */
  done(req: IncomingMessage): void {
    if (!this.#followed.has(req)) return;
    this.#done.add(req);
    this.#left.get(req)?.();
    this.#left.delete(req);
  }

  /** Notes why this request fails, where its status is not specific enough. */
  failed(req: IncomingMessage, code: string): void {
    this.#codes.set(req, code);
  }

  /** Records a request that was refused before `follow`, of an admitted caller or of another one, who may have a name. */
  refused(req: IncomingMessage, status: number, { principal, subject = '-' }: RefusedCaller = {}): void {
    if (this.#followed.has(req)) return;
    const code = this.#codeOf(req, status);
    const entry = { ...this.#requestOf(req), who: principal?.subject ?? subject, outcome: outcomeOf(code), code };
    // No limit on requests holds for a caller that was not admitted.
    if (principal === undefined) this.#refusals.record(entry);
    else this.#deps.audit.record(entry);
  }

  /** Records a decision of a caller, such as agreeing to the new tools of a server, in addition to its request. */
  decided(req: IncomingMessage, entry: Pick<AuditEntry, 'method' | 'server' | 'detail'>): void {
    const { audit, forwarded, callers } = this.#deps;
    const { principal, passedFor } = callers.admittedOf(req) ?? {};
    const who = passedFor ?? principal?.subject ?? '-';
    audit.record({ who, address: forwarded.addressOf(req), client: clientOf(req), ...entry, outcome: 'ok' });
  }

  login(req: IncomingMessage, method: 'login' | 'logout', entry: Pick<AuditEntry, 'who' | 'outcome' | 'code'>): void {
    const { audit, forwarded } = this.#deps;
    const all = { ...entry, address: forwarded.addressOf(req), client: clientOf(req), method };
    if (entry.outcome === 'refused') this.#refusals.record(all);
    else audit.record(all);
  }

  close(): void {
    for (const record of this.#left.values()) record();
    this.#left.clear();
    this.#refusals.close();
  }

  #codeOf(req: IncomingMessage, status: number): string {
    const byStatus = auditCode(`HTTP_${status}`);
    // A 415 is the refusal of a form on another page, not a mistake of the caller.
    return status === unsupportedMediaType ? byStatus : (this.#codes.get(req) ?? byStatus);
  }

  #requestOf(req: IncomingMessage): Pick<AuditEntry, 'address' | 'client' | 'method' | 'uri'> {
    // Decoded as the routes decode it, so that no spelling hides the requested resource.
    const path = requestTarget(req)?.pathname ?? req.url ?? '/';
    const isResource = path.startsWith(resources);
    return {
      address: this.#deps.forwarded.addressOf(req),
      client: clientOf(req),
      method: `${req.method} ${isResource ? '/resources' : startOf(withoutSecretsInUri(decodedIfValid(path)), 200)}`,
      uri: isResource ? startOf(withoutSecretsInUri(decodedIfValid(path.slice(resources.length))), 2000) : undefined,
    };
  }
}

function clientOf({ headers }: IncomingMessage): string | undefined {
  return headers['user-agent']?.slice(0, 200);
}

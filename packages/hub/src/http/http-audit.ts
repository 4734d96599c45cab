// What comes in over HTTP, for the audit log: MCP requests as their endpoints tell of them, all other requests when
// they have been answered. Pages, their files, and the questions whether the hub is alive are left out.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Observe } from '@tidings/live';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import { entryOf, outcomeOf } from '../audit/audited-request.ts';
import { RefusalWindow } from '../audit/refusal-window.ts';
import { withoutSecretsInUri } from '../audit/without-secrets.ts';
import type { Admitted } from './admission.ts';
import type { Forwarded } from './forwarded.ts';

export interface HttpAuditDeps {
  audit: AuditLog;
  forwarded: Forwarded;
  clock: Clock;
  /** Whether arguments are recorded too. */
  withArguments: () => boolean;
}

/** Something a caller decided, such as that a server's new tools may be used. */
export type Decided = (req: IncomingMessage, entry: Pick<AuditEntry, 'method' | 'server' | 'detail'>) => void;

export class HttpAudit {
  readonly #deps: HttpAuditDeps;
  readonly #refusals: RefusalWindow;
  readonly #followed = new WeakSet<IncomingMessage>();

  constructor(deps: HttpAuditDeps) {
    this.#deps = deps;
    this.#refusals = new RefusalWindow(deps.audit, deps.clock);
  }

  /** For the endpoint of all servers, or of one. */
  observer(server?: string): Observe {
    const { audit, withArguments } = this.#deps;
    return (request) => audit.record(entryOf(request, { server, withArguments: withArguments() }));
  }

  /** Records this request when it is answered. Calling what is returned records it at once: streams last. */
  follow(req: IncomingMessage, res: ServerResponse, admitted: Admitted): () => void {
    const { clock } = this.#deps;
    const startedAt = clock.now();
    this.#followed.add(req);
    // Now: a request whose connection was cut has no address any more.
    const request = this.#requestOf(req);
    let isRecorded = false;
    const record = () => {
      if (isRecorded) return;
      isRecorded = true;
      const code = res.statusCode >= 400 ? `HTTP_${res.statusCode}` : undefined;
      const ms = Math.round((clock.now() - startedAt) * 100) / 100;
      this.#deps.audit.record({ ...request, who: admitted.principal.subject, outcome: outcomeOf(code), code, ms });
    };
    res.once('close', record);
    return record;
  }

  /** Of one that nobody knows, or that was refused before it was looked at. */
  refused(req: IncomingMessage, status: number): void {
    if (this.#followed.has(req)) return;
    const code = `HTTP_${status}`;
    this.#refusals.record({ who: '-', ...this.#requestOf(req), outcome: outcomeOf(code), code });
  }

  decider(admittedOf: (req: IncomingMessage) => Admitted | undefined): Decided {
    const { audit, forwarded } = this.#deps;
    return (req, entry) => {
      const who = admittedOf(req)?.principal.subject ?? '-';
      audit.record({ who, address: forwarded.addressOf(req), client: clientOf(req), ...entry, outcome: 'ok' });
    };
  }

  login(req: IncomingMessage, method: 'login' | 'logout', entry: Pick<AuditEntry, 'who' | 'outcome' | 'code'>): void {
    const { audit, forwarded } = this.#deps;
    const all = { ...entry, address: forwarded.addressOf(req), client: clientOf(req), method };
    if (entry.outcome === 'refused') this.#refusals.record(all);
    else audit.record(all);
  }

  close(): void {
    this.#refusals.close();
  }

  #requestOf(req: IncomingMessage): Pick<AuditEntry, 'address' | 'client' | 'method' | 'uri'> {
    const path = pathOf(req);
    const isResource = path.startsWith('/resources/');
    return {
      address: this.#deps.forwarded.addressOf(req),
      client: clientOf(req),
      method: `${req.method} ${isResource ? '/resources' : path.slice(0, 200)}`,
      uri: isResource ? withoutSecretsInUri(decoded(path.slice('/resources/'.length))).slice(0, 2000) : undefined,
    };
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}

function clientOf({ headers }: IncomingMessage): string | undefined {
  return headers['user-agent']?.slice(0, 200);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

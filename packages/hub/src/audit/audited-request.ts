// Makes the audit record of an answered MCP request.
import type { Caller, ObservedRequest } from '@tidings/live';
import { z } from 'zod';
import type { AuditEntry } from './audit-log.ts';
import { auditCode, outcomeOf } from './audit-code.ts';
import { withoutSecrets, withoutSecretsInUri } from './without-secrets.ts';

const longest = 2000;
const mostUris = 100;

/** The params that identify what was requested. A client may have sent anything. */
const text = z.string().optional().catch(undefined);
const targetSchema = z
  .object({
    uri: text,
    name: text,
    arguments: z.unknown().optional(),
    ref: z.object({ uri: text, name: text }).optional().catch(undefined),
    notifications: z
      .object({ resourceSubscriptions: z.array(z.string()).optional().catch(undefined) })
      .optional()
      .catch(undefined),
  })
  .catch({});

export interface EntryOptions {
  /** The server, where the request was sent to `/mcp/{id}`. */
  server?: string | undefined;
  withArguments: boolean;
  /** Whether the caller's credential names this tool or prompt. */
  mayUse(this: void, caller: Caller, method: string, name: string): boolean;
}

const isCall = /^(?:tools\/call|prompts\/get)$/;

export function entryOf(
  { caller, client, method, params, code: given, ms }: ObservedRequest,
  { server, withArguments, mayUse }: EntryOptions,
): AuditEntry {
  const { uri, name, ref, notifications, arguments: args } = targetSchema.parse(params ?? {});
  const uris = notifications?.resourceSubscriptions;
  const about = uri ?? ref?.uri;
  const called = name ?? ref?.name;
  // A tool or prompt that a credential does not name is answered like one that does not exist: here it is a refusal.
  const isHidden = called !== undefined && isCall.test(method) && !mayUse(caller, method, called);
  const code = isHidden ? 'PERMISSION_DENIED' : given && auditCode(given);
  return {
    who: caller.auth?.subject ?? '-',
    address: caller.address,
    client: client && cut(`${client.name}/${client.version}`, 200),
    method: cut(method, 200),
    server,
    name: called === undefined ? undefined : cut(called, 200),
    uri: about === undefined ? undefined : cut(withoutSecretsInUri(about), longest),
    uris: uris?.slice(0, mostUris).map((each) => cut(withoutSecretsInUri(each), longest)),
    count: uris !== undefined && uris.length > mostUris ? uris.length : undefined,
    outcome: outcomeOf(code),
    code,
    ms: Math.round(ms * 100) / 100,
    arguments: withArguments && args !== undefined ? withoutSecrets(args) : undefined,
  };
}

function cut(value: string, length: number): string {
  return value.length <= length ? value : `${value.slice(0, length)}…`;
}

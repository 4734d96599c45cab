// Makes the audit record of an answered MCP request.
import type { Caller, ObservedRequest } from '@tidings/live';
import { z } from 'zod';
import type { AuditEntry } from './audit-log.ts';
import { auditCode, outcomeOf } from './audit-code.ts';
import { cutText } from '../base/cut-text.ts';
import { withoutSecrets, withoutSecretsInUri } from '../base/without-secrets.ts';

const longest = 2000;
/** Limits of a record: the number of URIs, and their total length. */
const [mostUris, longestUris] = [100, 8000];
/** As JSON. */
export const longestArguments = 8000;

/** The params that identify the request's subject. A client may have sent anything. */
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

interface EntryOptions {
  /** The server, where the request was sent to `/mcp/{id}`. */
  server?: string | undefined;
  withArguments: boolean;
  /** Whether the caller's credential names this tool or prompt. */
  mayUse(this: void, caller: Caller, method: string, name: string): boolean;
}

const isCall = /^(?:tools\/call|prompts\/get)$/;

export function auditEntryOf(
  { caller, client, method, params, code: given, ms }: ObservedRequest,
  { server, withArguments, mayUse }: EntryOptions,
): AuditEntry {
  const { uri, name, ref, notifications, arguments: args } = targetSchema.parse(params ?? {});
  const uris = notifications?.resourceSubscriptions;
  const keptUris = uris && firstOf(uris);
  const about = uri ?? ref?.uri;
  const called = name ?? ref?.name;
  // A tool or prompt that a credential does not name is answered like one that does not exist: here it is a refusal.
  const isHidden = called !== undefined && isCall.test(method) && !mayUse(caller, method, called);
  const code = isHidden ? 'PERMISSION_DENIED' : given && auditCode(given);
  return {
    who: caller.auth?.subject ?? '-',
    address: caller.address,
    client: client && cutText(`${client.name}/${client.version}`, 200),
    method: cutText(method, 200),
    server,
    name: called === undefined ? undefined : cutText(called, 200),
    uri: about === undefined ? undefined : cutText(withoutSecretsInUri(about), longest),
    uris: keptUris,
    count: uris && keptUris && uris.length > keptUris.length ? uris.length : undefined,
    outcome: outcomeOf(code),
    code,
    ms: Math.round(ms * 100) / 100,
    arguments: withArguments && args !== undefined ? boundedArguments(args) : undefined,
  };
}

function firstOf(uris: readonly string[]): string[] {
  const kept: string[] = [];
  let left = longestUris;
  for (const uri of uris.slice(0, mostUris)) {
    if (uri.length > left && kept.length > 0) break;
    kept.push(cutText(withoutSecretsInUri(uri), longest));
    left -= uri.length;
  }
  return kept;
}

function boundedArguments(args: unknown): unknown {
  const kept = withoutSecrets(args);
  const text = JSON.stringify(kept);
  return text.length <= longestArguments ? kept : cutText(text, longestArguments);
}

// A way into the hub, and the outcomes of a request for a resource on it.
import { type Principal, type Target, telephone } from './cells.ts';
import type { Answer, World } from './world.ts';

/**
 * - `open`: the content, or the item itself; `redacted`: the content without the redacted values
 * - `absent`: a response without it
 * - `own`: a response with the caller's own items, and none of other callers
 * - otherwise the HTTP status of a refusal, or the code of an error
 */
export type Outcome = string;

export interface Way {
  name: string;
  kind:
    | 'read'
    | 'history'
    | 'subscribe'
    | 'wait'
    | 'hear'
    | 'list'
    | 'template'
    | 'tool'
    | 'writing tool'
    | 'prompt'
    | 'links'
    | 'server'
    | 'clients'
    | 'extension'
    | 'task'
    | 'session'
    | 'admin'
    | 'login'
    | 'page';
  /** Whether it is a way to a single server. */
  isSingle?: boolean;
  /** A way with a URI, tested with every spelling. */
  withUri?(this: void, world: World, who: Principal, target: Target, uri: string): Promise<Outcome>;
  /** A way without a URI. */
  without?(this: void, world: World, who: Principal, target: Target): Promise<Outcome>;
}

/** The status instead of the code if the request did not get as far as the resource. */
export function outcomeOf(answer: Answer, { marker }: Target): Outcome {
  if (answer.text.includes(marker))
    return answer.text.includes(telephone) || !answer.text.includes('parties') ? 'open' : 'redacted';
  return answer.code ?? String(answer.status);
}

/** Unauthenticated or unknown server, whatever the resource. */
export function early({ status, text }: Answer): Outcome | undefined {
  if (status === 401) return '401';
  return status === 404 && text.includes('There is nothing at /mcp/') ? '404' : undefined;
}

export const occurs = (answer: Answer, what: string): Outcome =>
  early(answer) ?? (answer.text.includes(JSON.stringify(what).slice(1, -1)) ? 'open' : (answer.code ?? 'absent'));

// What a hook's input means.
import { LiveError } from '@tidings/live';
import { hookBody } from './hook-body.ts';

export interface HookInput {
  readonly event: string;
  /** Throws if there is none: not every event has one. */
  readonly session: () => string;
  /** An agent with a context of its own within the session. */
  readonly agent: string | undefined;
  readonly source: string | undefined;
  /** Whether the turn may be continued: it was not before, and its user has not ended it. */
  readonly mayContinue: boolean;
}

export function hookInputOf(body: unknown): HookInput {
  const given = hookBody.parse(body);
  const event = given.hook_event_name ?? given.hookEventName;
  if (event === undefined || event === null) throw missing('hook_event_name');
  const session = given.session_id ?? given.sessionId ?? given.conversation_id;
  const isContinued = given.stop_hook_active === true || (given.loop_count ?? 0) > 0;
  return {
    event,
    session: () => {
      if (session === undefined || session === null) throw missing('session_id');
      return session;
    },
    agent: given.agent_id ?? undefined,
    source: given.source ?? undefined,
    mayContinue: !isContinued && (given.status ?? 'completed') === 'completed',
  };
}

function missing(field: string): LiveError {
  return new LiveError('INVALID_PARAMS', `${field}: is missing. Send what the host gives its hook, as JSON.`);
}

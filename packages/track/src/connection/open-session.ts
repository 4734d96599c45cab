// Opens a session with a configured server, over any transport and in either era.
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { ServerEntry } from '../config/config.ts';
import { mayBeOldEndpoint } from './http/old-endpoint.ts';
import { LateAnswer } from './late-answer.ts';
import { SessionAttempt, type SessionDeps, type AttemptPlan } from './session-attempt.ts';
import type { Era, OpenSession, Session } from './session.ts';

/** How long the attempt in the other era may take. */
const secondTryMs = 5000;

export function sessionOpener(entry: ServerEntry, deps: SessionDeps): OpenSession {
  /** Whether the last session was one of 2024-11-05, so that the next is tried the same way first. */
  let wasOverSse = false;
  return async (signal, events, { handshakeMs = deps.connectMs, failures = 0, client }) => {
    // A process may take longer to start.
    const connectMs = 'url' in entry ? Math.min(handshakeMs, deps.connectMs) : deps.connectMs;
    // A slow start is silent, too: tried in the 2025 era too soon, a server that speaks only 2026-07-28 would never be
    // connected to.
    const probeMs = deps.probeMs * 4 ** failures;
    const overSse = async (otherwise: unknown): Promise<Session> => {
      const session = await new SessionAttempt(entry, { ...deps, connectMs, probeMs }, events, client)
        .open(signal, overOldSse)
        .catch(() => undefined);
      wasOverSse = session !== undefined;
      if (session === undefined) throw otherwise;
      return session;
    };
    if (wasOverSse) {
      const failed = new Error('The server does not open its event stream.');
      const session = await overSse(failed).catch(() => undefined);
      if (session !== undefined) return session;
    }
    const known = deps.eras.get(entry);
    const attempt = new SessionAttempt(entry, { ...deps, connectMs, probeMs }, events, client);
    try {
      return await attempt.open(signal, { era: known, isRemembered: true });
    } catch (error) {
      // The remembered era is only a hint: after any failure the server is probed again.
      if (known !== undefined) deps.eras.doubt(entry);
      if (!signal.aborted && mayBeOldEndpoint(error)) return await overSse(error);
      if (!signal.aborted && error instanceof LateAnswer) {
        const patience = { ...deps, connectMs, probeMs: connectMs };
        return await new SessionAttempt(entry, patience, events, client).open(signal, {
          era: undefined,
          isRemembered: true,
        });
      }
      const failure = attempt.hasEnded ? 'ended' : failureOf(error);
      const other = otherWay(known, failure, deps.eras.seen(entry)?.era);
      if (signal.aborted || other === undefined) throw error;
      const patience = { ...deps, connectMs: Math.min(connectMs, secondTryMs), probeMs };
      return await new SessionAttempt(entry, patience, events, client).open(signal, other);
    }
  };
}

const overOldSse: AttemptPlan = { era: 'legacy', isRemembered: false, isOverSse: true };

type Failure = 'ended' | 'silent' | 'unreachable' | 'refused';

/** The other way that is worth trying at once, if any. */
function otherWay(known: 'legacy' | undefined, failure: Failure, seen: Era | undefined): AttemptPlan | undefined {
  // It answered, but not as a 2025-era server does.
  if (known === 'legacy') return failure === 'refused' ? { era: undefined, isRemembered: true } : undefined;
  // Some 2025-era servers exit at an unknown request: then the probe was the cause.
  if (failure === 'ended') return { era: 'legacy', isRemembered: true };
  // Others do not answer the probe. But a slow start is silent too, and must not be remembered as the 2025 era.
  return failure === 'silent' && seen !== 'modern' ? { era: 'legacy', isRemembered: false } : undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return 'silent';
  if (!(error instanceof Error)) return 'refused';
  return error instanceof TypeError || error.cause instanceof TypeError ? 'unreachable' : 'refused';
}

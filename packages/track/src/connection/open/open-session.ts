// Opens a session with a configured server, over any transport and in either era.
import { backoffMs } from '@tidings/live/time';
import type { ServerEntry } from '../../config/config.ts';
import { mayBeOldEndpoint } from '../http/old-endpoint.ts';
import { isTimeout } from '../error/is-timeout.ts';
import { LateAnswer } from '../error/late-answer.ts';
import { SessionAttempt, type SessionDeps, type AttemptPlan } from './session-attempt.ts';
import type { Era, OpenSession, Session } from '../session/session.ts';

/** How long the second attempt, in the other era, may take. */
const secondTryMs = 5000;

export function sessionOpener(entry: ServerEntry, deps: SessionDeps): OpenSession {
  /** Whether the last session used the event stream of 2024-11-05; if so, the next attempt begins with it. */
  let wasOverSse = false;
  return async (signal, events, { handshakeMs = deps.connectMs, failures = 0, client }) => {
    // Only servers over HTTP get the short handshake time: a process may take longer to start.
    const connectMs = 'url' in entry ? Math.min(handshakeMs, deps.connectMs) : deps.connectMs;
    // The probe gets more time after each failure. A server that starts slowly is silent at first; if the attempt fell
    // back to the 2025 era too soon, one that speaks only 2026-07-28 would never be connected to.
    const probeMs = backoffMs(failures + 1, { firstMs: deps.probeMs, growth: 4 });
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
      const other = otherPlan(known, failure, deps.eras.seen(entry)?.era);
      if (signal.aborted || other === undefined) throw error;
      const patience = { ...deps, connectMs: Math.min(connectMs, secondTryMs), probeMs };
      return await new SessionAttempt(entry, patience, events, client).open(signal, other);
    }
  };
}

const overOldSse: AttemptPlan = { era: 'legacy', isRemembered: false, isOverSse: true };

type AttemptFailure = 'ended' | 'silent' | 'unreachable' | 'refused';

/** The plan for a second attempt that is worth making at once, if any. */
function otherPlan(
  known: 'legacy' | undefined,
  failure: AttemptFailure,
  seen: Era | undefined,
): AttemptPlan | undefined {
  // The server answered, but not as a 2025-era server does.
  if (known === 'legacy') return failure === 'refused' ? { era: undefined, isRemembered: true } : undefined;
  // Some 2025-era servers exit at an unknown request: the probe was the cause.
  if (failure === 'ended') return { era: 'legacy', isRemembered: true };
  // Other 2025-era servers do not answer the probe. A server that starts slowly is silent too, and must not be
  // remembered as one of the 2025 era.
  return failure === 'silent' && seen !== 'modern' ? { era: 'legacy', isRemembered: false } : undefined;
}

function failureOf(error: unknown): AttemptFailure {
  if (isTimeout(error)) return 'silent';
  if (!(error instanceof Error)) return 'refused';
  return error instanceof TypeError || error.cause instanceof TypeError ? 'unreachable' : 'refused';
}

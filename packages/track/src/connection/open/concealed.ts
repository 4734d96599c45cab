// Wraps session openers and logs so that they show no secrets: a server may write its own key to stderr, and an error
// may quote the request that was sent.
import { inspect } from 'node:util';
import type { TrackerLog } from '../../base/log.ts';
import type { Conceal } from '../error/concealer.ts';
import { ConnectFailure } from '../error/connect-failure.ts';
import type { OpenSession } from '../session/session.ts';

/** Removes secrets from the errors and close reasons of the sessions. */
export function concealed(open: OpenSession, conceal: Conceal): OpenSession {
  return (signal, events, options) =>
    open(signal, { ...events, lost: (reason, loss) => events.lost(conceal(reason), loss) }, options).catch(
      (error: unknown) => {
        throw new ConnectFailure(error, conceal);
      },
    );
}

export function concealedLog(log: Required<TrackerLog>, conceal: Conceal): Required<TrackerLog> {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    const shown = Object.entries(fields).map(([name, value]) => [name, shownOf(value, conceal)]);
    log[level](Object.fromEntries(shown), message);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function shownOf(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value);
  return typeof value === 'object' && value !== null ? conceal(inspect(value)) : value;
}

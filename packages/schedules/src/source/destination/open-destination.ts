// A destination from its settings, with the secrets of this process's environment.
import type { Clock } from '@tidings/live';
import type { Destination } from './destination.ts';
import type { DestinationSettings } from './destination-settings.ts';
import { emailDestination } from './email-destination.ts';
import { ntfyDestination } from './ntfy-destination.ts';
import { type TellSession, noSessions, sessionDestination } from './session-destination.ts';
import { slackDestination } from './slack-destination.ts';
import { webhookDestination } from './webhook-destination.ts';

export interface OpenedDestination {
  destination: Destination;
  /** Why this process cannot use it; undefined if it can. Another process may be able to. */
  problem?: string | undefined;
}

export interface OpenDeps {
  env: Readonly<Record<string, string | undefined>>;
  tell?: TellSession | undefined;
  clock: Clock;
}

export function openDestination(name: string, settings: DestinationSettings, deps: OpenDeps): OpenedDestination {
  const { env, tell } = deps;
  const missing = Object.entries(settings).flatMap(([key, value]) =>
    key.endsWith('_env') && typeof value === 'string' && !secretIn(env, value) ? [value] : [],
  );
  if (missing.length > 0) {
    const words = `${settings.kind} destination ${name}`;
    const destination = { kind: settings.kind, words, send: () => Promise.reject(new Error(`${name} is not open.`)) };
    return { destination, problem: `its environment has no ${missing.join(' and no ')}` };
  }
  const destination = opened(settings, deps);
  const isElsewhere = settings.kind === 'session' && tell === undefined;
  return isElsewhere ? { destination, problem: noSessions().message.replace(/\.$/, '') } : { destination };
}

function opened(settings: DestinationSettings, { env, tell, clock }: OpenDeps): Destination {
  const secret = (variable: string) => secretIn(env, variable);
  switch (settings.kind) {
    case 'ntfy': {
      const { url, token_env } = settings;
      return ntfyDestination({ url, clock, ...(token_env !== undefined && { token: secret(token_env) }) });
    }
    case 'webhook':
      return webhookDestination({ url: settings.url, secret: secret(settings.secret_env), clock });
    case 'slack':
      return slackDestination({ url: secret(settings.url_env), clock });
    case 'email': {
      const { server, user, password_env, from, to } = settings;
      const password = password_env === undefined ? undefined : secret(password_env);
      return emailDestination({ server, user, password, from, to });
    }
    default:
      return sessionDestination({ session: settings.session, tell });
  }
}

/** Empty if the environment has no such variable; also for a name that every object inherits, such as `constructor`. */
function secretIn(env: OpenDeps['env'], variable: string): string {
  return (Object.hasOwn(env, variable) ? env[variable] : undefined) ?? '';
}

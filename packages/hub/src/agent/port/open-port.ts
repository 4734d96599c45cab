// Opens the port for a request. A key is sent only to the addresses of its provider and to those in the configuration:
// a caller that may attach sessions must not be able to send the value of any variable to any address.
import { type Clock, LiveError } from '@tidings/live';
import type { AgentPort } from './agent-port.ts';
import type { AttachRequest } from '@tidings/client/contract';
import { isCall } from './is-call.ts';

export interface PortTerms {
  /** The environment with the keys. */
  env: Readonly<Record<string, string | undefined>>;
  /** Addresses besides the providers' own to which keys may be sent. */
  addresses(this: void): readonly string[];
  clock: Clock;
}

const makers = {
  'openai-realtime': { name: 'OpenAI', origin: 'wss://api.openai.com' },
  'gemini-live': { name: 'Google', origin: 'wss://generativelanguage.googleapis.com' },
} as const;

export async function openPort(request: AttachRequest, session: string, terms: PortTerms): Promise<AgentPort> {
  const { clock } = terms;
  if (request.kind === 'stdout') {
    const { StdoutPort } = await import('./stdout-port.ts');
    return new StdoutPort({ session, clock, write: (line, done) => void process.stdout.write(line, done) });
  }
  const { kind, key_env, url } = request;
  if (url !== undefined) assertNamed(kind, url, terms.addresses());
  const apiKey = terms.env[key_env];
  if (!apiKey) {
    const message = `key_env: the hub's environment has no ${key_env}. Set it and start the hub again.`;
    throw new LiveError('INVALID_PARAMS', message);
  }
  // Each is imported on first use: most hubs need none of them.
  if (kind === 'webhook') {
    const { WebhookPort } = await import('./webhook-port.ts');
    try {
      return new WebhookPort({ session, url: request.url, secret: apiKey, clock });
    } catch {
      throw new LiveError(
        'INVALID_PARAMS',
        `key_env: ${key_env} must hold base64, such as whsec_… of Standard Webhooks.`,
      );
    }
  }
  if (kind === 'gemini-live') {
    const { GeminiLivePort } = await import('./gemini-live.ts');
    return new GeminiLivePort({ apiKey, url, model: request.model, clock });
  }
  if (url !== undefined && isCall(url) && request.model !== undefined) {
    throw new LiveError('INVALID_PARAMS', 'model: a call that is joined keeps its settings. Leave the model out.');
  }
  const { OpenAiRealtimePort } = await import('./openai-realtime.ts');
  return new OpenAiRealtimePort({ apiKey, url, model: request.model, clock });
}

export function assertNamed(
  kind: 'openai-realtime' | 'gemini-live' | 'webhook',
  url: string,
  named: readonly string[],
): void {
  const { origin } = new URL(url);
  const maker = kind === 'webhook' ? undefined : makers[kind];
  const allowed = [maker?.origin, ...named.map((address) => new URL(address).origin)];
  if (allowed.includes(origin)) return;
  const rule = maker
    ? `keys are sent to ${maker.name} only`
    : 'messages are sent to addresses of the configuration only';
  const message = `url: ${rule}. To use ${origin}, add it to "realtime" in the hub's configuration.`;
  throw new LiveError('INVALID_PARAMS', message);
}

// All agent sessions. The built-in transcript session comes first and always exists.
import { randomUUID } from 'node:crypto';
import { type Hold, LiveError } from '@tidings/live';
import { requestedPattern } from '@tidings/client/contract';
import { z } from 'zod';
import type { AgentPort } from './agent-port.ts';
import { AgentSession, type AgentSessionOptions, type AgentDeps } from './agent-session.ts';
import { transcriptPort } from './transcript-port.ts';

const nothingChosen = 'names none, so there would be nothing to tell: name some, or leave it out for all';

/** The fields of a request. None is a secret: the key is in an environment variable of the hub. */
export const attachSchema = z.strictObject({
  kind: z.literal('openai-realtime'),
  key_env: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, 'must name an environment variable')
    .default('OPENAI_API_KEY'),
  url: z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address' }).optional(),
  model: z.string().optional(),
  when: z.enum(['now', 'between-turns']).optional(),
  per_minute: z.int().positive().optional(),
  servers: z.array(z.string()).min(1, nothingChosen).optional(),
  // Each is compared with every change.
  uris: z.array(requestedPattern).min(1, nothingChosen).max(100).optional(),
  announce: z.enum(['line', 'snapshot', 'diff']).optional(),
});

export type AttachRequest = z.infer<typeof attachSchema>;

export interface AttachTerms {
  /** The environment that has the keys. */
  env: Readonly<Record<string, string | undefined>>;
  /** The addresses besides OpenAI's to which keys may be sent. */
  addresses(this: void): readonly string[];
}

const mostSessions = 200;

export class AgentSessions {
  readonly #deps: AgentDeps;
  readonly #terms: AttachTerms;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #held = new Map<string, Hold>();

  constructor(deps: AgentDeps, terms: AttachTerms) {
    this.#deps = deps;
    this.#terms = terms;
    this.add(transcriptPort(), { id: 'transcript' });
  }

  list(): ReturnType<AgentSession['status']>[] {
    return [...this.#sessions.values()].map((session) => session.status());
  }

  get(id: string): AgentSession {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no session "${id}". See /api/sessions.`);
  }

  /** For code with an `AgentPort` of its own. */
  add(port: AgentPort, options: Partial<AgentSessionOptions> = {}): AgentSession {
    if (this.#sessions.size >= mostSessions) {
      throw new LiveError('LIMIT_EXCEEDED', `There are ${mostSessions} sessions already: detach some first.`);
    }
    const id = options.id ?? randomUUID();
    const session = new AgentSession({ ...options, id }, port, this.#deps);
    this.#sessions.set(id, session);
    return session;
  }

  /** `held` is released when the session is detached. */
  async attach(request: AttachRequest, held?: Hold): Promise<AgentSession> {
    try {
      const session = await this.#open(request);
      if (held) this.#held.set(session.id, held);
      return session;
    } catch (error) {
      held?.release();
      throw error;
    }
  }

  async #open(request: AttachRequest): Promise<AgentSession> {
    const { key_env, url, model, per_minute, when, servers, uris, announce } = request;
    if (url !== undefined && !this.#isNamed(url)) throw unnamedAddress(url);
    const apiKey = this.#terms.env[key_env];
    if (!apiKey) {
      throw new LiveError(
        'INVALID_PARAMS',
        `key_env: the hub's environment has no ${key_env}. Set it and start the hub again.`,
      );
    }
    // Imported on first use: most hubs never need it.
    const { OpenAiRealtimePort } = await import('./openai-realtime.ts');
    const { clock } = this.#deps;
    const port = new OpenAiRealtimePort({ apiKey, url, model, clock });
    return this.add(port, { when, perMinute: per_minute, servers, uris, announce });
  }

  async detach(id: string): Promise<void> {
    const session = this.get(id);
    if (id === 'transcript') throw new LiveError('INVALID_PARAMS', 'The built-in transcript cannot be detached.');
    this.#sessions.delete(id);
    this.#held.get(id)?.release();
    this.#held.delete(id);
    await session.detach();
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.detach()));
  }

  /** A caller that may attach sessions must not be able to send the value of any variable to any address. */
  #isNamed(url: string): boolean {
    return this.#terms.addresses().some((address) => new URL(address).origin === new URL(url).origin);
  }
}

function unnamedAddress(url: string): LiveError {
  const message = `url: keys are sent to OpenAI only. To use ${new URL(url).origin}, add it to "realtime" in the hub's configuration.`;
  return new LiveError('INVALID_PARAMS', message);
}

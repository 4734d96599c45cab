// The agents that are told what changes. The built-in transcript comes first, so that there is always one to
// look at.
import { randomUUID } from 'node:crypto';
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import type { AgentPort } from './agent-port.ts';
import { AgentSession, type AgentSessionOptions, type AgentSurroundings } from './agent-session.ts';
import { transcriptPort } from './transcript-port.ts';

const nothingChosen = 'names none, so there would be nothing to tell: name some, or leave it out for all';

/** What a request may ask for. No secret is among it: a variable of the hub's environment holds the key. */
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
  uris: z.array(z.string()).min(1, nothingChosen).optional(),
  announce: z.enum(['line', 'snapshot', 'diff']).optional(),
});

export type AttachRequest = z.infer<typeof attachSchema>;

const mostSessions = 200;

export class AgentSessions {
  readonly #surroundings: AgentSurroundings;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #sessions = new Map<string, AgentSession>();

  constructor(surroundings: AgentSurroundings, env: Readonly<Record<string, string | undefined>>) {
    this.#surroundings = surroundings;
    this.#env = env;
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

  /** For code that has a session of its own. */
  add(port: AgentPort, options: Partial<AgentSessionOptions> = {}): AgentSession {
    if (this.#sessions.size >= mostSessions) {
      throw new LiveError('LIMIT_EXCEEDED', `There are ${mostSessions} sessions already: detach some first.`);
    }
    const id = options.id ?? randomUUID();
    const session = new AgentSession({ ...options, id }, port, this.#surroundings);
    this.#sessions.set(id, session);
    return session;
  }

  async attach(request: AttachRequest): Promise<AgentSession> {
    const { key_env, url, model, per_minute, when, servers, uris, announce } = request;
    const apiKey = this.#env[key_env];
    if (!apiKey) {
      throw new LiveError(
        'INVALID_PARAMS',
        `key_env: the hub's environment has no ${key_env}. Set it and start the hub again.`,
      );
    }
    // Only where it is used: most people never load it.
    const { OpenAiRealtimePort } = await import('./openai-realtime.ts');
    const { clock } = this.#surroundings;
    const port = new OpenAiRealtimePort({ apiKey, url, model, clock });
    return this.add(port, { when, perMinute: per_minute, servers, uris, announce });
  }

  async detach(id: string): Promise<void> {
    const session = this.get(id);
    if (id === 'transcript') throw new LiveError('INVALID_PARAMS', 'The built-in transcript stays.');
    this.#sessions.delete(id);
    await session.detach();
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.detach()));
  }
}

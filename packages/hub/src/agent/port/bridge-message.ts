// A message for an agent as bridges get it, over HTTP or as a line on stdout.
import type { AgentMessage } from './agent-port.ts';

/** `role` is the role for the message in the conversation. No answer is expected. */
export function bridgeMessage(session: string, { kind, text }: AgentMessage, now: Date) {
  const role = kind === 'notice' ? 'system' : 'user';
  return { type: 'agent.message', timestamp: now.toISOString(), data: { session, kind, role, text } };
}

// A session without a model, which shows the messages that an agent would get.
import type { AgentPort } from './agent-port.ts';

export function transcriptPort(): AgentPort {
  return {
    kind: 'transcript',
    open: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
}

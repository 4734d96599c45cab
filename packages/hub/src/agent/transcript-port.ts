// A session without a model, which shows what an agent would be told.
import type { AgentPort } from './agent-port.ts';

export function transcriptPort(): AgentPort {
  return {
    kind: 'transcript',
    open: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
}

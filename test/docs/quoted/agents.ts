// The code of docs/agents.md.
import { type RealtimeSessionLike, tellRealtimeSession } from '@tidings/client';

export function keepTold(session: RealtimeSessionLike, hub: string): () => void {
  const stop = tellRealtimeSession(session, { hub, when: 'between-turns', uris: ['vcon://**'] });
  return stop;
}

// Keeps an agent up to date: the updates of a hub, as a stream of input for any agent SDK that takes one. Run a hub (`tidings up`), then this.
import { updates } from '@tidings/client';

interface InputMessage {
  role: 'system' | 'user';
  content: string;
}

/** What the agent is given: what the user says, and in between what changed. */
export async function* agentInput(hub: string, signal: AbortSignal): AsyncGenerator<InputMessage> {
  yield { role: 'user', content: 'Keep me posted on our conversations.' };
  for await (const { line } of updates({ hub, signal })) yield { role: 'system', content: line };
}

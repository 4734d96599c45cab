// Keeps an agent up to date: the updates of a hub as a stream of input, for any agent SDK that accepts one. Needs a
// running hub (`tidings up`).
import { updates } from '@tidings/client';

interface InputMessage {
  role: 'system' | 'user';
  content: string;
}

/** The input of the agent: the user's message, followed by a line for each update. */
export async function* agentInput(hub: string, signal: AbortSignal): AsyncGenerator<InputMessage> {
  yield { role: 'user', content: 'Keep me posted on our conversations.' };
  for await (const { line } of updates({ hub, signal })) yield { role: 'system', content: line };
}

// Calls a tool at the balancer with a plain request, because the ledger must know for certain whether a call was
// acknowledged.
import { eventually } from '@tidings/live/testing';
import { ask } from '../../support/wire/raw-http.ts';

const callMs = 10_000;
const doneMs = 60_000;

/** Returns the structured result. Throws if there is none in time; the call may have been carried out anyway. */
export async function callTool(url: string, server: string, name: string, args: Record<string, unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} was not answered in time.`)), callMs);
  });
  const answer = ask(`${url}/mcp/${server}`, 'modern', 'tools/call', { name, arguments: args });
  try {
    const { message } = await Promise.race([answer, late]);
    if (message.result === undefined || message.result['isError'] === true) {
      throw new Error(`${name} failed: ${JSON.stringify(message).slice(0, 300)}`);
    }
    return message.result['structuredContent'];
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

/** Repeats the call until it is acknowledged. */
export async function callUntilDone(...call: Parameters<typeof callTool>): Promise<void> {
  await eventually(`${call[2]} to be acknowledged`, async () => (await callTool(...call), true), doneMs);
}

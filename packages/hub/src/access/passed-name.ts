// The name of a server's tool or prompt on `/mcp`: `{serverId}_{name}`, at most 64 characters, as hosts require.
import { createHash } from 'node:crypto';

const longest = 64;
const digestLength = 8;

export function passedName(serverId: string, name: string): string {
  const whole = `${serverId}_${name}`;
  if (whole.length <= longest) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, digestLength);
  return `${whole.slice(0, longest - digestLength - 1)}_${digest}`;
}

// What is piped into a command.
import { readUpTo } from '@tidings/live/internal';
import { Failure } from '../../terminal/failure.ts';

/** More than a server would accept. */
const mostBytes = 64 * 1024 * 1024;

export async function textOfInput(input: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readUpTo(input, mostBytes);
  if (bytes.length > mostBytes) throw new Failure(`There are more than ${mostBytes} bytes on stdin.`, 2);
  return String(bytes);
}

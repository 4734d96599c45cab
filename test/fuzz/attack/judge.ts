// The rules for all responses, whatever the request. Returns the violations.
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';

const internalError = -32603;
/** A stack trace, a path of the machine, or the text of an internal error. */
const leaks = [/ {4}at \S+.*:\d+:\d+/, /node_modules|node:internal|file:\/\/\/|\.(?:m?js|ts):\d+/, /boom-secret/];

const jsonrpc = z.literal('2.0');
const id = z.union([z.string(), z.number()]);
const messageSchema = z.union([
  z.object({ jsonrpc, method: z.string(), error: z.undefined().optional() }),
  z.strictObject({ jsonrpc, id, result: z.looseObject({}), error: z.undefined().optional() }),
  z.strictObject({
    jsonrpc,
    id: id.nullable(),
    error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);

export function judgeBytes(asked: string, bytes: Buffer): string[] {
  const text = bytes.toString();
  const leaked = leaks.filter((leak) => leak.test(text) && !leak.test(asked)).map((leak) => `leaks ${leak.source}`);
  return isUtf8(bytes) ? leaked : [...leaked, 'is not UTF-8'];
}

/** `asked` is the request's text: only handlers named boom may fail, and they do so on purpose. */
export function judgeMessage(asked: string, message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap((each) => judgeMessage(asked, each));
  const known = messageSchema.safeParse(message);
  if (!known.success) return ['is not a JSON-RPC message'];
  const isCauseless = known.data.error?.code === internalError && !/boom/i.test(asked);
  return isCauseless ? ['is an internal error without a cause'] : [];
}

export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// The SDK answers params that do not fit their schema with "internal error" and the validator's dump. This rewrites
// that answer to "invalid params" with a readable sentence.
import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { errorCodes } from '../../base/error.ts';
import { issueInWords } from '../../base/issue-in-words.ts';
import { parsedJson } from '../../portable/parsed-json.ts';

const internalError = errorCodes.INTERNAL.rpc;
// The kit's internal errors carry `data`, so they do not match.
const dumpSchema = z.object({
  id: z.union([z.string(), z.number()]),
  error: z.strictObject({ code: z.literal(internalError), message: z.string().startsWith('[') }),
});
const issuesSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

export function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  return 'error' in message ? (correct(message) ?? message) : message;
}

/** The same for a message that is already encoded. */
export function withInvalidParamsText(json: string): string {
  if (!json.includes(`"code":${internalError}`)) return json;
  const corrected = correct(JSON.parse(json));
  return corrected === undefined ? json : JSON.stringify(corrected);
}

function correct(message: unknown): JSONRPCErrorResponse | undefined {
  const dump = dumpSchema.safeParse(message).data;
  const issues = issuesOf(dump?.error.message ?? '');
  if (dump === undefined || issues === undefined) return undefined;
  const error = {
    code: errorCodes.INVALID_PARAMS.rpc,
    message: `${issues.map(issueInWords).join('; ')}.`,
    data: { code: 'INVALID_PARAMS' },
  };
  return { jsonrpc: '2.0', id: dump.id, error };
}

function issuesOf(dump: string): z.infer<typeof issuesSchema> | undefined {
  return issuesSchema.safeParse(parsedJson(dump)).data;
}

// A 2025-era server may refuse a request until its user has opened a URL (-32042). A modern client gets that as a
// question, and sends the request again once the user has agreed.
import {
  type InputRequests,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import { z } from 'zod';

const urlElicitationRequired: number = ProtocolErrorCode.UrlElicitationRequired;
const dataSchema = z.object({
  elicitations: z
    .array(z.object({ message: z.string(), url: z.string(), elicitationId: z.string() }))
    .min(1)
    .max(16),
});
const refusalSchema = z.object({ action: z.enum(['decline', 'cancel']) });
const prefix = 'open-url-';

/** The questions in such an error; undefined for any other error. */
export function urlQuestions(error: unknown): InputRequiredResult | undefined {
  if (!(error instanceof ProtocolError) || error.code !== urlElicitationRequired) return undefined;
  const { elicitations = [] } = dataSchema.safeParse(error.data).data ?? {};
  if (elicitations.length === 0) return undefined;
  const inputRequests: InputRequests = {};
  for (const [index, elicitation] of elicitations.entries()) {
    const params = { mode: 'url' as const, ...elicitation };
    inputRequests[`${prefix}${index + 1}`] = { method: 'elicitation/create', params };
  }
  return { resultType: 'input_required', inputRequests };
}

/** Throws if the user declined: the server would refuse again, and the user would be asked again. */
export function assertUrlsAccepted({ mcpReq }: PlainContext): void {
  for (const [key, response] of Object.entries(mcpReq.inputResponses ?? {})) {
    if (!key.startsWith(prefix) || !refusalSchema.safeParse(response).success) continue;
    throw new LiveError('PERMISSION_DENIED', 'The server needs a page to be opened for this, which the user declined.');
  }
}

// Cancellations of requests by the client, the same in both eras.
import { type RequestId, isJSONRPCNotification } from '@modelcontextprotocol/server';
import { z } from 'zod';

const paramsSchema = z.object({ requestId: z.union([z.string(), z.number()]) });

/** The id of the request that this message cancels, if it is a cancellation. */
export function cancelledId(message: unknown): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  return paramsSchema.safeParse(message.params).data?.requestId;
}

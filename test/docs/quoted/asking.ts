// The code of docs/asking.md: tools that ask the user something before they act.
import {
  type LiveServer,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  liveServer,
} from '@tidings/live';
import { z } from 'zod';

/** `priceOf` is called once for each order; `secret` has at least 32 characters and is the same in all processes. */
export function shop(notes: Map<string, string>, priceOf: (item: string) => number, secret: string): LiveServer {
  const quotes = createRequestStateCodec<{ price: number }>({ key: secret });
  const server = liveServer({ name: 'shop', version: '1.0.0', requestState: quotes });

  const note = server.resource('note://{id}', { read: ({ id }) => notes.get(id) });
  const confirmation = z.object({ sure: z.boolean().describe('It cannot be undone') });

  server.tool('delete_note', { input: z.object({ id: z.string() }) }, ({ id }, { mcpReq }) => {
    const { kind } = inputResponse(mcpReq.inputResponses, 'confirm');
    if (kind === 'missing') {
      const confirm = inputRequired.elicit({ message: `Delete note ${id}?`, requestedSchema: confirmation });
      return inputRequired({ inputRequests: { confirm } });
    }
    const answer = acceptedContent(mcpReq.inputResponses, 'confirm', confirmation);
    if (answer?.sure !== true) return 'The note was kept.';
    notes.delete(id);
    note.removed({ id });
    return 'The note was deleted.';
  });

  const approval = z.object({ agree: z.boolean() });

  server.tool('order', { input: z.object({ item: z.string() }) }, async ({ item }, context) => {
    const { mcpReq } = context;
    const quote = mcpReq.requestState<{ price: number }>();
    if (quote === undefined) {
      const price = priceOf(item);
      const approve = inputRequired.elicit({ message: `${item} costs ${price}.`, requestedSchema: approval });
      return inputRequired({ inputRequests: { approve }, requestState: await quotes.mint({ price }, context) });
    }
    const agrees = acceptedContent(mcpReq.inputResponses, 'approve', approval)?.agree === true;
    return agrees ? `Ordered for ${quote.price}.` : 'Nothing was ordered.';
  });

  return server;
}

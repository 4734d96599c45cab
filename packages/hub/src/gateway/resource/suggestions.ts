// A server's suggestions for an argument, with their number.
import type { CompleteRequest } from '@modelcontextprotocol/client';
import type { CallContext } from '@tidings/live';
import { SuggestedResult } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import { errorForCaller } from '../relay/error-for-caller.ts';
import { metaForModern, passedMeta } from '../relay/relayed-request.ts';
import type { View } from '../view.ts';

export async function suggestionsOf(
  upstream: Pick<Upstream, 'id'>,
  view: View,
  context: CallContext,
  params: CompleteRequest['params'],
): Promise<SuggestedResult> {
  const { mcpReq, caller } = context;
  try {
    return await view.use(async (client) => {
      if (client.getServerCapabilities()?.completions === undefined)
        return new SuggestedResult({ completion: { values: [], hasMore: false } });
      const meta = client.getProtocolEra() === 'modern' ? metaForModern(context) : passedMeta(mcpReq._meta);
      const { signal } = mcpReq;
      return new SuggestedResult(await client.complete({ ...params, ...(meta && { _meta: meta }) }, { signal }));
    });
  } catch (error) {
    throw errorForCaller(upstream, caller, error);
  }
}

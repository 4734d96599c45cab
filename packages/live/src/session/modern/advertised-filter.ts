// The part of a listen filter that the capabilities allow, as the SDK would acknowledge it.
import type { ServerCapabilities, SubscriptionFilter } from '@modelcontextprotocol/server';

export function advertisedFilter(
  filter: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions = [] } = filter;
  return {
    ...(toolsListChanged === true && tools?.listChanged === true && { toolsListChanged }),
    ...(promptsListChanged === true && prompts?.listChanged === true && { promptsListChanged }),
    ...(resourcesListChanged === true && resources?.listChanged === true && { resourcesListChanged }),
    ...(resourceSubscriptions.length > 0 && resources?.subscribe === true && { resourceSubscriptions }),
  };
}

// Passes on requests with methods that the hub does not know, at the address of one server that declares extensions or
// experimental capabilities. Which methods belong to an extension is unknown, so all methods outside the protocol are
// passed on.
import type { OtherRequests } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { z } from 'zod';
import type { PermissionsOf } from '../../access/permissions.ts';
import type { Relay } from '../relay/relay.ts';
import type { Views } from '../view.ts';

interface PassedRequestsOptions {
  upstreams: () => Iterable<Upstream>;
  views: Views;
  relay: Relay;
  permissionsOf: PermissionsOf;
}

const anything = z.looseObject({});
const ownMethods =
  /^(?:initialize|ping)$|^(?:server|tools|prompts|resources|completion|logging|sampling|elicitation|roots|tasks|subscriptions|notifications)\//;

export function passOtherRequests({ upstreams, views, relay, permissionsOf }: PassedRequestsOptions): OtherRequests {
  return (method, caller) => {
    const [upstream] = upstreams();
    const { extensions, experimental } = upstream?.capabilities ?? {};
    // It is unknown what such a request reads or does, so only unlimited callers may send it.
    const isAllowed = permissionsOf(caller).isWhole;
    if (upstream === undefined || !(extensions ?? experimental) || !isAllowed || ownMethods.test(method))
      return undefined;
    return ({ _meta, ...params }, context) =>
      relay.others.request({
        upstream,
        view: views.of(upstream, context.caller),
        context,
        name: method,
        isRepeatable: false,
        send: (client, added, options) =>
          client.request({ method, params: { ...params, ...added } }, anything, options),
      });
  };
}

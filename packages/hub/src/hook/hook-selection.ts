// The filter in a hook's address: `?server=` and `?uri=`, as at the event stream.
import { requestedPattern, uriPattern } from '@tidings/client/contract';
import { z } from 'zod';

/** Longer than any id. It is kept with the session. */
const longestServer = 256;

export const hookQuery = z.object({
  server: z.string().max(longestServer).optional(),
  uri: z.optional(requestedPattern),
});

export interface HookSelection {
  /** Equal for equal queries. */
  readonly choice: string;
  /** Whether changes of resources that were not read are wanted, too. */
  readonly isChosen: boolean;
  hasServer(this: void, serverId: string): boolean;
  has(this: void, serverId: string, uri: string): boolean;
}

export function hookSelection({ server, uri }: z.infer<typeof hookQuery>): HookSelection {
  const pattern = uri === undefined ? undefined : uriPattern(uri);
  const hasServer = (serverId: string) => server === undefined || server === serverId;
  return {
    choice: JSON.stringify([server, uri]),
    isChosen: server !== undefined || uri !== undefined,
    hasServer,
    has: (serverId, own) => hasServer(serverId) && (pattern?.test(own) ?? true),
  };
}

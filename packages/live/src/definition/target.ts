// What a client watches when it subscribes to a URI: which topics it depends on, and what is done while it is watched.
import type { Target } from '../notify/watched.ts';
import type { Resolved, Watch } from '../resource/resource-directory.ts';
import type { Definition } from './definition.ts';

export function targetOf({ windowMs }: Pick<Definition, 'windowMs'>, uri: string, resolved: Resolved): Target {
  const { canonical, key, topics, watch, windowMs: own = windowMs } = resolved;
  return {
    subject: { kind: 'resource', uri, canonical },
    topics,
    windowMs: own,
    ...(key !== undefined && { key }),
    ...(watch && { onWatched: () => watch().end, ready: () => held(watch) }),
  };
}

/** Keeps it watched until the subscription itself does. */
async function held(watch: () => Watch): Promise<() => void> {
  const { ready, end } = watch();
  try {
    await ready;
    return end;
  } catch (error) {
    end();
    throw error;
  }
}

// Resolves a URI that a client subscribes to: the topics it depends on, and the calls of `watch` while it is watched.
import type { Target } from '../notify/watched.ts';
import type { Resolved, Watch } from '../resource/resource-directory.ts';
import type { ServerDefinition } from './server-definition.ts';

export function watchTarget(
  { windowMs, want }: Pick<ServerDefinition, 'windowMs' | 'want'>,
  uri: string,
  resolved: Resolved,
): Target {
  const { canonical, key, topics, watch, windowMs: own = windowMs } = resolved;
  return {
    subject: { kind: 'resource', uri, canonical },
    topics,
    windowMs: own,
    ...(key !== undefined && { key }),
    ...(watch && { onWatched: () => watch().end }),
    ...((watch || want) && { ready: () => heldAll([...(watch ? [watch] : []), ...wantsOf(topics, want)]) }),
  };
}

function wantsOf(topics: readonly string[], want: ServerDefinition['want']): (() => Watch)[] {
  return want === undefined ? [] : topics.map((topic) => () => want(topic));
}

async function heldAll(watches: readonly (() => Watch)[]): Promise<() => void> {
  const begun = await Promise.allSettled(watches.map(held));
  const end = () => {
    for (const each of begun) if (each.status === 'fulfilled') each.value();
  };
  const failed = begun.find((each) => each.status === 'rejected');
  if (failed === undefined) return end;
  end();
  throw failed.reason;
}

/** Keeps the resource watched until the subscription does so itself. */
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

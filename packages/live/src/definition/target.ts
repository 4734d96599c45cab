// What a client watches when it subscribes to a URI: which topics it depends on, and what its route does meanwhile.
import type { Log } from '../log.ts';
import type { Target } from '../notify/watched.ts';
import type { Resolved, WatchEnd } from '../resource/resource-directory.ts';
import type { Definition } from './definition.ts';

export function targetOf({ windowMs, log }: Definition, uri: string, resolved: Resolved): Target {
  const { canonical, key, topics, watch, ready, windowMs: own = windowMs } = resolved;
  return {
    subject: { kind: 'resource', uri, canonical },
    topics,
    windowMs: own,
    ...(key !== undefined && { key }),
    ...(watch && { onWatched: () => beginWatching(watch, uri, log) }),
    ...(ready && { ready }),
  };
}

/** Calls a route's `watch`; returns what calls its end. Either may fail, which is logged and disturbs nothing else. */
function beginWatching(watch: NonNullable<Resolved['watch']>, uri: string, log: Log): () => void {
  const failed = (error: unknown) => log.error({ err: error, uri }, 'watch failed.');
  const end = (stop: WatchEnd) => {
    try {
      stop?.();
    } catch (error) {
      failed(error);
    }
  };
  let begun: WatchEnd | Promise<WatchEnd>;
  try {
    begun = watch();
  } catch (error) {
    failed(error);
    return () => undefined;
  }
  if (begun === undefined || typeof begun === 'function') {
    const stop = begun;
    return () => end(stop);
  }
  // Watching may end before it has begun: its end is then called as soon as there is one.
  const beginning = Promise.resolve(begun);
  beginning.catch(failed);
  return () => void beginning.then(end, () => undefined);
}

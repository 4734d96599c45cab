// After a batch the server must have no stream, no subscriber, no socket and no logged failure left.
import type { Report, Target } from './target.ts';
import { eventually } from './within.ts';

/** Connections that well-behaved clients keep for a while after use. */
const keptAlive = 8;
/** Lists that every session watches from its beginning. */
const listsWatched = 3;

/** `orphans`: sessions whose client may have left before it got their id; the idle reaper ends them. */
export async function expectRest(target: Target, when: string, orphans = 0): Promise<void> {
  const report = await eventually(
    5000,
    () => target.report(),
    (each) => isAtRest(each, orphans),
  );
  if (!isAtRest(report, orphans)) throw new Error(`${when} this is left: ${JSON.stringify(report, null, 1)}`);
}

function isAtRest({ sessions, subscribers, watched, streams, sockets, complaints }: Report, orphans: number): boolean {
  const isSilent = streams === 0 && subscribers === sessions && watched === (sessions > 0 ? listsWatched : 0);
  return isSilent && sessions <= orphans && sockets <= keptAlive && complaints.length === 0;
}

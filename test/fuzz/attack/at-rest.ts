// After a batch nothing of it may be left: no stream, no subscriber, no socket, no complaint.
import type { Report, Target } from './target.ts';
import { eventually } from './within.ts';

/** Connections that proper clients keep for a while after use. */
const keptAlive = 8;
/** Lists every session watches from its beginning. */
const listsWatched = 3;

/** `orphans`: sessions whose client may have left before it learned of them; the idle reaper's business. */
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

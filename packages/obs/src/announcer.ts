// Announces what changed, once per tick: a change that was undone within the tick is not announced.
import type { Clock, LiveServer } from '@tidings/live';
import { oncePerTick } from '@tidings/live/time';
import { isDeepStrictEqual } from 'node:util';
import { differenceOf } from './model/difference.ts';
import { type Studio, emptyStudio } from './model/studio.ts';
import { statusUri } from './model/uri.ts';
import type { MissedReads } from './missed-reads.ts';
import type { Obs, ObsConnection } from './source/obs.ts';

export function announceChanges(server: LiveServer, obs: Obs, missed: MissedReads, clock: Clock): void {
  let announced: { studio: Studio; connection: ObsConnection } = { studio: emptyStudio, connection: obs.connection };

  const announceDifference = () => {
    const { lastKnown, connection } = obs;
    const { uris, isListDifferent } = differenceOf(announced.studio, lastKnown);
    const topics = new Set(uris);
    if (!isDeepStrictEqual(announced.connection, connection)) topics.add(statusUri);
    if (connection.state === 'connected') for (const uri of missed.take()) topics.add(uri);
    announced = { studio: lastKnown, connection };
    if (topics.size > 0) server.announce(...topics);
    if (isListDifferent) server.listChanged();
  };

  obs.onChange(oncePerTick(clock, announceDifference));
}

// The OBS server: OBS, its resources and its tools.
import { type Clock, type LiveServer, type Log, liveServer, systemClock } from '@tidings/live';
import { version } from '@tidings/live/version';
import { announceChanges } from './announcer.ts';
import { MissedReads } from './missed-reads.ts';
import { addMovingResources } from './moving-resources.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { type Obs, awayMessage } from './source/obs.ts';
import { UnannouncedChanges } from './source/unannounced-changes.ts';
import { addTools } from './tools/all.ts';

interface ObsServerOptions {
  clock?: Clock;
  log?: Log;
  /** The interval at which watched settings are polled if OBS sends no events for their changes. */
  pollMs?: number | undefined;
  windowMs?: number | undefined;
  isOptional?: boolean | undefined;
}

/** Closing the server ends the connection to OBS. */
export function obsServer(obs: Obs, options: ObsServerOptions = {}): LiveServer {
  const { clock = systemClock, log, pollMs = 5000, windowMs, isOptional = false } = options;
  const server = liveServer({
    name: 'obs',
    title: 'OBS Studio',
    version,
    instructions:
      'Shows and controls OBS Studio. Read obs://status for what is on air, and subscribe to what you care about: people change things in OBS too. ' +
      'obs://stats has figures, obs://meters/{input} levels, obs://screenshot/{source} images: they change all the time, so watch them only when you need them. ' +
      'While OBS is away, obs://status says why and everything else answers UNAVAILABLE.',
    clock,
    ...(log && { log }),
    ...(windowMs !== undefined && { windowMs }),
  });
  const unannounced = new UnannouncedChanges(obs, { clock, pollMs });
  const missed = new MissedReads();
  addResources(server, obs, unannounced, missed);
  addMovingResources(server, obs, clock);
  addTools(server, obs, clock);
  addPrompts(server, obs);
  announceChanges(server, obs, missed, clock);
  reportTrouble(server, obs, isOptional);
  server.onClose(() => {
    unannounced.close();
    obs.close();
  });
  return server;
}

const notSeenYet =
  'OBS Studio is not running. Start it, and enable its server under Tools, WebSocket Server Settings; then its resources appear.';

/** The server works without OBS; whether OBS is connected is part of its state. */
function reportTrouble(server: LiveServer, obs: Obs, isOptional: boolean): void {
  obs.onChange(() => {
    const { connection } = obs;
    // The outcome of the attempt is reported instead.
    if (connection.state === 'connecting') return;
    if (isOptional && connection.state === 'away' && connection.lastSeen === undefined) {
      server.trouble.report(notSeenYet, { isExpected: true });
      return;
    }
    server.trouble.report(connection.state === 'connected' ? '' : awayMessage(connection));
  });
}

// Creates the schedules server from settings: on QStash if a token is given, otherwise with the embedded scheduler on a
// store.
import { join } from 'node:path';
import { type Bus, type Clock, type LiveServer, type Log, stderrLog, systemClock } from '@tidings/live';
import { schedulesServer } from './schedules-server.ts';
import type { ScheduleBackend } from './source/backend.ts';
import { readDestinations } from './source/destination/destination-settings.ts';
import { Destinations, destinationsOf } from './source/destination/destinations.ts';
import { ntfyDestination, publicNtfy } from './source/destination/ntfy-destination.ts';
import type { TellSession } from './source/destination/session-destination.ts';
import { openEmbeddedBackend } from './source/embedded/embedded-backend.ts';

export interface SchedulesSettings {
  /** A data folder or a postgres:// URL. */
  place: string;
  /** Sends nothing: due notifications count as delivered. */
  isTrial?: boolean;
  /** Where notifications are sent. Default: the public ntfy service. */
  ntfyUrl?: string | undefined;
  ntfyToken?: string | undefined;
  /** The file with further destinations. Default: destinations.json in the data folder, if it exists. */
  destinationsFile?: string | undefined;
  /** Values of the variables that the file names. Default: the environment of the process. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sends a notification to an agent session; only a hub has sessions. */
  tellSession?: TellSession | undefined;
  /** Stores schedules in QStash instead of `place`. */
  qstashToken?: string | undefined;
  qstashUrl?: string | undefined;
  /** How often QStash is asked for changes made elsewhere, while a topic is watched. */
  pollMs?: number | undefined;
  /** Wakes other processes instead of PostgreSQL. */
  bus?: Bus | undefined;
  clock?: Clock;
  log?: Log;
}

export async function openSchedules(settings: SchedulesSettings): Promise<LiveServer> {
  const { log = stderrLog } = settings;
  return schedulesServer(await openBackend(settings, log), { log });
}

async function openBackend(settings: SchedulesSettings, log: Log): Promise<ScheduleBackend> {
  const { place, bus, ntfyUrl = publicNtfy, ntfyToken, qstashToken, qstashUrl, pollMs } = settings;
  const { clock = systemClock } = settings;
  const embedded = { place, bus, clock: settings.clock, log };
  if (settings.isTrial) {
    const nowhere = { kind: 'nowhere', words: 'nowhere: this is a trial', send: async () => undefined };
    return openEmbeddedBackend({ ...embedded, destinations: Destinations.only(nowhere) });
  }
  const usual = ntfyDestination({ url: ntfyUrl, token: ntfyToken, clock });
  if (qstashToken === undefined) {
    const { env = process.env, tellSession: tell } = settings;
    const destinations = destinationsOf(await settingsFile(settings), { env, usual, tell, clock });
    for (const { name, problem } of destinations.shown().destinations) {
      if (problem !== undefined)
        log.warn({ destination: name, problem }, 'A destination cannot be used by this process.');
    }
    return openEmbeddedBackend({ ...embedded, destinations });
  }
  // Imported on use: most users never need the QStash client.
  const { openQstashBackend } = await import('./source/qstash/qstash-backend.ts');
  return openQstashBackend({ token: qstashToken, url: qstashUrl, ntfyUrl, ntfyToken, ntfy: usual, clock, log, pollMs });
}

async function settingsFile({ place, destinationsFile }: SchedulesSettings) {
  if (destinationsFile !== undefined) return readDestinations(destinationsFile, true);
  // Processes on one folder share its file; a database has no folder.
  return /^postgres(ql)?:/.test(place) ? undefined : readDestinations(join(place, 'destinations.json'), false);
}

// Puts the schedules server together from settings: QStash where a token is given, the embedded
// scheduler on a store otherwise.
import { type Clock, type LiveServer, type Log, stderrLog, systemClock } from '@tidings/live';
import { schedulesServer } from './schedules-server.ts';
import type { ScheduleBackend } from './source/backend.ts';
import { openEmbeddedBackend } from './source/embedded/embedded-backend.ts';
import { ntfyDestination, ntfyNotifier, publicNtfy } from './source/ntfy-notifier.ts';

export interface SchedulesSettings {
  /** A data folder or a postgres:// URL. */
  place: string;
  /** Nothing leaves this process: what comes due counts as delivered. */
  isTrial?: boolean;
  /** Where notifications are sent. Default: the public ntfy service. */
  ntfyUrl?: string | undefined;
  ntfyToken?: string | undefined;
  /** With it, schedules live in QStash instead of `place`. */
  qstashToken?: string | undefined;
  qstashUrl?: string | undefined;
  /** How often QStash is asked for changes made elsewhere, while a topic is watched. */
  pollMs?: number | undefined;
  clock?: Clock;
  log?: Log;
}

export async function openSchedules(settings: SchedulesSettings): Promise<LiveServer> {
  const { clock = systemClock, log = stderrLog } = settings;
  return schedulesServer(await openBackend(settings, clock, log), { clock, log });
}

async function openBackend(settings: SchedulesSettings, clock: Clock, log: Log): Promise<ScheduleBackend> {
  const { place, ntfyUrl = publicNtfy, ntfyToken, qstashToken, qstashUrl, pollMs } = settings;
  if (settings.isTrial) {
    const destination = 'nowhere: this is a trial';
    return openEmbeddedBackend({ place, notifier: async () => undefined, destination, clock, log });
  }
  const notifier = ntfyNotifier({ url: ntfyUrl, token: ntfyToken, clock });
  if (qstashToken === undefined) {
    return openEmbeddedBackend({ place, notifier, destination: ntfyDestination(ntfyUrl), clock, log });
  }
  // Only where it is used: most people never load its client.
  const { openQstashBackend } = await import('./source/qstash/qstash-backend.ts');
  return openQstashBackend({ token: qstashToken, url: qstashUrl, ntfyUrl, ntfyToken, notifier, clock, log, pollMs });
}

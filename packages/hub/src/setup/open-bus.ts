// `--bus`: a message bus between nodes, instead of PostgreSQL's NOTIFY.
import type { Bus, Log } from '@tidings/live';
import { isDatabase } from '../base/data-place.ts';
import { Failure } from '../terminal/failure.ts';

/** Refused for a data folder, which has no nodes. */
export async function openBus(
  { bus: url, data }: { bus?: string | undefined; data: string },
  log: Log,
): Promise<Bus | undefined> {
  if (url === undefined) return undefined;
  if (!isDatabase(data)) {
    throw new Failure('--bus is for several nodes on one database: give that with --data postgres://…', 2);
  }
  // Loaded where it is used: most hubs are alone.
  const { openNatsBus } = await import('@tidings/bus');
  return openNatsBus(url, { log });
}

// `tidings history URI`: the versions of a resource that a hub has kept, and what changed from one to the next.
import { type KeptVersion, versionAnswer, versionsAnswer } from '@tidings/client/contract';
import type { HubApiClient } from '../http/hub-api-client.ts';
import { type Difference, difference } from './difference.ts';
import { type WatchedContent, watchedContent } from './watched-content.ts';

export interface ComparedVersion extends KeptVersion {
  /** Difference to the previous version; undefined for the oldest. */
  change: Difference | undefined;
}

/** As large as versions are; two of them are in memory. */
const longestText = 16 * 1024 * 1024;

interface HistorySettings {
  api: HubApiClient;
  uri: string;
  /** How many of the newest. */
  limit: number;
}

/** The oldest first. */
export async function history({ api, uri, limit }: HistorySettings): Promise<ComparedVersion[]> {
  const path = `/api/versions?uri=${encodeURIComponent(uri)}`;
  const { versions } = await api.ask(path, versionsAnswer);
  // One more than is shown: the first is compared with it.
  const read = versions.slice(-limit - 1);
  const entries: ComparedVersion[] = [];
  let before: WatchedContent | undefined;
  for (const kept of read) {
    const { contents } = await api.ask(`${path}&version=${kept.version}`, versionAnswer);
    const now = watchedContent({ contents }, longestText);
    entries.push({ ...kept, change: before === undefined ? undefined : difference(before, now) });
    before = now;
  }
  return entries.slice(-limit);
}

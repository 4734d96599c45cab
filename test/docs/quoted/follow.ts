// The code of docs/tracker.md.
import { loadConfig, openTracker, serveEvents } from '@tidings/track';

export async function follow(file: string, place: string) {
  const config = loadConfig({ file, env: process.env });
  const tracker = await openTracker({ config, place });
  const { url, close } = await serveEvents(tracker.events);
  return { url, close: () => Promise.all([close(), tracker.close()]) };
}

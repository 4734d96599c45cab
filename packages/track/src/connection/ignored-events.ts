// For sessions besides the tracked one, which follow no resources: of their events only the loss counts.
import type { SessionEvents } from './session.ts';

export function ignoredEvents(lost: (reason: string) => void): SessionEvents {
  const ignore = () => undefined;
  return {
    updated: () => true,
    listChanged: ignore,
    gap: ignore,
    deliveryChanged: ignore,
    troubleChanged: ignore,
    lost,
  };
}

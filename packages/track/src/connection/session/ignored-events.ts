// Event handlers for sessions besides the tracked one. They follow no resources, so only their loss matters.
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

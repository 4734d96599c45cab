// An agent session of the hub: the notification becomes a message of its conversation.
import { LiveError } from '@tidings/live';
import { DeliveryError } from './delivery-error.ts';
import type { Destination, Push } from './destination.ts';

/** Resolves when the session has the notification. An UNAVAILABLE error means that it may take it later. */
export type TellSession = (sessionId: string, push: Push) => Promise<void>;

interface SessionDestinationOptions {
  session: string;
  /** Undefined outside a hub. */
  tell: TellSession | undefined;
}

export function sessionDestination({ session, tell }: SessionDestinationOptions): Destination {
  return {
    kind: 'session',
    words: `agent session ${session} of the hub`,
    send: async (push) => {
      if (!tell) throw noSessions();
      try {
        await tell(session, push);
      } catch (error) {
        if (!(error instanceof LiveError)) throw error;
        throw new DeliveryError(error.code, error.message, { isTemporary: error.code === 'UNAVAILABLE' });
      }
    },
  };
}

export function noSessions(): DeliveryError {
  const message = 'Agent sessions can be told by the hub only, and this process is not one. Start "tidings up".';
  return new DeliveryError('UNAVAILABLE', message, { isTemporary: true });
}

// The port that sends notifications, and the error of a failed delivery.
import { type ErrorCode, LiveError } from '@tidings/live';
import type { Push } from './backend.ts';

/** Resolves when the notification has been handed over; rejects, best with a `DeliveryError`, otherwise. */
export type Notifier = (push: Push) => Promise<void>;

export interface DeliveryErrorOptions {
  /** The same notification may get through later. */
  isTemporary: boolean;
  /** How long the server asks to wait (`Retry-After`). */
  retryAfterMs?: number | undefined;
}

export class DeliveryError extends LiveError {
  readonly isTemporary: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, { isTemporary, retryAfterMs }: DeliveryErrorOptions) {
    super(code, message);
    this.isTemporary = isTemporary;
    this.retryAfterMs = retryAfterMs;
  }
}

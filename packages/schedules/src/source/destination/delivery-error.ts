// The error of a failed delivery.
import { type ErrorCode, LiveError } from '@tidings/live';

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

// The error of a failed delivery.
import { type ErrorCode, LiveError } from '@tidings/live';

interface DeliveryErrorOptions {
  /** Whether the same notification may be accepted later. */
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

// The pauses between attempts to connect, to open a stream, or to reconcile.
import type { BackoffOptions } from '@tidings/live/time';

export const retryPauses: BackoffOptions = { firstMs: 500, longestMs: 30_000 };

// Whether a request had no answer in time.
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

// The SDK's session transport, with what it does not do: notifications that belong to no request go
// where we say, "not found" keeps its 2025 code, and wrong params are the client's mistake.
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import { withInvalidParams } from '../invalid-params.ts';
import { withLegacyErrorCode } from './frames.ts';

const changeNotification = /^notifications\/((resources|tools|prompts)\/list_changed|resources\/updated)$/;

/** Change notifications are the notifier's; an SDK instance's own are dropped wherever they appear. */
export function isChangeNotification(message: JSONRPCMessage): boolean {
  return isJSONRPCNotification(message) && changeNotification.test(message.method);
}

export class LegacyTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #sendUnrelated: (message: JSONRPCMessage) => void;

  constructor(sessionId: string, maxRequestBodySize: number, sendUnrelated: (message: JSONRPCMessage) => void) {
    super({ sessionIdGenerator: () => sessionId, maxRequestBodySize });
    this.#sendUnrelated = sendUnrelated;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const isResponse = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isResponse || options?.relatedRequestId !== undefined) {
      await super.send(withLegacyErrorCode(withInvalidParams(message)), options);
    } else if (!isChangeNotification(message)) {
      this.#sendUnrelated(message);
    }
  }
}

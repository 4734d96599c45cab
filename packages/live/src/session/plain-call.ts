// A tool call that is well-formed beyond doubt, and may be answered without the SDK.
import type { RequestId } from '@modelcontextprotocol/server';
import type { ObservedRequest } from '../definition/observe.ts';

export interface PlainCall {
  readonly id: RequestId;
  readonly method: 'tools/call';
  /** The params as the client sent them. */
  readonly params: Record<string, unknown>;
  /** The client's name and version, if the request has them. */
  readonly client?: ObservedRequest['client'];
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly progressToken: RequestId | undefined;
}

// A call of a tool that is well-formed beyond doubt, and may be answered without the SDK.
import type { RequestId } from '@modelcontextprotocol/server';
import type { ObservedRequest } from '../definition/observe.ts';

export interface PlainCall {
  readonly id: RequestId;
  readonly method: 'tools/call';
  /** As the client sent them. */
  readonly params: Record<string, unknown>;
  /** What the client calls itself, if the request says so. */
  readonly client?: ObservedRequest['client'];
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly progressToken: RequestId | undefined;
}

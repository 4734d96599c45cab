// A call that may wait for hours. Its tool is not an async function, whose promises, signal and context would stay in
// memory while it waits: it registers a waiting call, which is answered later. Ten thousand such calls take little more
// memory than their connections.
import type { CallToolResult, Progress } from '@modelcontextprotocol/server';
import type { Caller } from '../../resource/caller.ts';

/** Exactly one of `answer` and `fail` is called, once. */
export interface WaitingCall {
  readonly caller: Caller;
  /** Notifies the client of progress, if it asked for that. */
  progress(progress: Progress): void;
  answer(result: CallToolResult): void;
  fail(error: unknown): void;
}

/** Begins to wait. `stop` is called if the caller disconnects. */
export type BeginCall<Args> = (args: Args, call: WaitingCall) => { stop(): void };

// A call that may wait for hours. Its tool is not an async function, whose promises, signal and context would be kept
// meanwhile, but begins to wait and answers later; ten thousand such calls cost little more than their connections.
import type { CallToolResult, Progress } from '@modelcontextprotocol/server';
import type { Caller } from '../resource/caller.ts';

/** Exactly one of `answer` and `fail` is called, once. */
export interface WaitingCall {
  readonly caller: Caller;
  /** Tells the client, if it has asked for that. */
  progress(progress: Progress): void;
  answer(result: CallToolResult): void;
  fail(error: unknown): void;
}

/** Begins to wait; what it returns stops that, for a caller that has left. */
export type BeginCall<Args> = (args: Args, call: WaitingCall) => { stop(): void };

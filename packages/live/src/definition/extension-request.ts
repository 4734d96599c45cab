// Requests of protocol extensions, and of parts of the protocol that the kit does not implement.
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { aJsonObject, checkValue } from '../base/check-options.ts';
import type { Fields } from '../portable/is-object.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import type { Log } from '../base/log.ts';
import { answering } from './answer/wire-error.ts';

/** Answers one request of an extension. */
export type ExtensionRequest = (params: Fields, context: CallContext) => Promise<Fields>;

/** Handlers by method. */
export type ExtensionRequests = Readonly<Record<string, ExtensionRequest>>;

/** Finds the handler of a method that the kit does not know; undefined if this caller may not use it. */
export type OtherRequests = (method: string, caller: Caller) => ExtensionRequest | undefined;

const params = z.looseObject({});

export function serveExtensions(server: Server, requests: ExtensionRequests, contextOf: ContextOf, log: Log): void {
  for (const [method, answer] of Object.entries(requests)) {
    server.setRequestHandler(method, { params }, (given, context) =>
      answering(log, {}, async () => {
        const answered = await answer(given, contextOf(context));
        checkValue(`The answer to "${method}"`, answered, aJsonObject);
        return answered;
      }),
    );
  }
}

/** `only`: the method, for a server that answers one request. Without a handler for it, the SDK answers HTTP 404. */
export function serveOthers(
  server: Server,
  find: (method: string) => ExtensionRequest | undefined,
  only: string | undefined,
  contextOf: ContextOf,
  log: Log,
): void {
  if (only !== undefined && find(only) === undefined) return;
  server.fallbackRequestHandler = (request, context) =>
    answering(log, {}, () => {
      const answer = find(request.method);
      if (answer === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
      return answer({ ...request.params }, contextOf(context));
    });
}

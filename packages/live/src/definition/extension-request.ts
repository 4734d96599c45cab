// Requests of protocol extensions, and of parts of the protocol that the kit does not implement.
import type { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { aJsonObject, checkValue } from '../check-options.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Log } from '../log.ts';
import { answering } from './wire-error.ts';

type Fields = Record<string, unknown>;

/** Answers a request with these params. */
export type ExtensionRequest = (params: Fields, context: CallContext) => Promise<Fields>;

/** By method; `*` answers all others that the kit does not know. */
export type ExtensionRequests = Readonly<Record<string, ExtensionRequest>>;

const params = z.looseObject({});

export function serveExtensions(server: Server, requests: ExtensionRequests, contextOf: ContextOf, log: Log): void {
  const { '*': other, ...byMethod } = requests;
  if (other) {
    server.fallbackRequestHandler = (request, context) =>
      answering(log, {}, () => other({ ...request.params }, contextOf(context)));
  }
  for (const [method, answer] of Object.entries(byMethod)) {
    server.setRequestHandler(method, { params }, (given, context) =>
      answering(log, {}, async () => {
        const answered = await answer(given, contextOf(context));
        checkValue(`The answer to "${method}"`, answered, aJsonObject);
        return answered;
      }),
    );
  }
}

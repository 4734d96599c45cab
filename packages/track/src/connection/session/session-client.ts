// The client that a session presents to its server. The tracker's own sessions are shared by many callers, so a server
// cannot send requests to a caller on them; a session that belongs to one caller presents that caller's capabilities.
import {
  type Client,
  type ClientCapabilities,
  type Implementation,
  type InputRequest,
  ProtocolError,
  ProtocolErrorCode,
  type StandardSchemaV1Sync,
  specTypeSchemas,
} from '@modelcontextprotocol/client';

/** A request of a 2025-era server to its client. */
export type ServerQuestion = InputRequest;

export interface SessionClient {
  /** The name and version of the client. Default: those of the hub. */
  readonly info?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  /** Answers a request of the server. */
  asked(this: void, question: ServerQuestion, signal: AbortSignal): Promise<unknown>;
  /** The user has finished the interaction for which a URL was opened. */
  completed(this: void, elicitationId: string): void;
}

/**
 * The capabilities of the shared session if calls are made on sessions of their callers: some servers list a tool only
 * for a client that supports requests from the server. The shared session provides lists and updates, and refuses such
 * requests.
 */
export const everyCapability: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

/** Registers handlers on the SDK's client for the capabilities of `SessionClient`. */
export function present(client: Client, { capabilities, asked, completed }: SessionClient): void {
  const { elicitation, sampling, roots } = capabilities;
  if (elicitation) {
    client.setRequestHandler('elicitation/create', async ({ method, params }, { mcpReq }) =>
      checked(await asked({ method, params }, mcpReq.signal), specTypeSchemas.ElicitResult),
    );
  }
  if (sampling) {
    client.setRequestHandler('sampling/createMessage', async ({ method, params }, { mcpReq }) =>
      checked(await asked({ method, params }, mcpReq.signal), specTypeSchemas.CreateMessageResultWithTools),
    );
  }
  if (roots) {
    client.setRequestHandler('roots/list', async ({ method, params }, { mcpReq }) =>
      checked(await asked({ method, params }, mcpReq.signal), specTypeSchemas.ListRootsResult),
    );
  }
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => completed(params.elicitationId));
}

function checked<Result>(answer: unknown, schema: StandardSchemaV1Sync<unknown, Result>): Result {
  const outcome = schema['~standard'].validate(answer);
  if (!outcome.issues) return outcome.value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The answer of the client does not have the required form.');
}

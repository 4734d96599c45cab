// The client that a session presents to its server. The tracker's own sessions are shared by many and cannot be asked;
// a session that belongs to one caller has that caller's capabilities.
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
  /** The client's own name. Default: the hub's. */
  readonly info?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  /** Answers a request of the server. */
  asked(this: void, question: ServerQuestion, signal: AbortSignal): Promise<unknown>;
  /** The user has finished what a URL was opened for. */
  completed(this: void, elicitationId: string): void;
}

/**
 * What the shared session declares where calls are made on sessions of their callers: some servers list a tool only for
 * a client that can be asked. Lists and updates come from it; questions of the server on it are refused.
 */
export const everyCapability: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

/** Lets the SDK's client answer for it. */
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

// The `TestClient` interface for the real 1.x SDK, as deployed hosts have it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { LogMessage, TestClient } from '@tidings/live/testing';

export async function connectOldHttp(url: string): Promise<TestClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  // In this SDK, ending the session is a separate call; without it the server would keep the session until it is idle.
  return connect(transport, () => transport.terminateSession());
}

export function connectOldStdio(command: StdioServerParameters): Promise<TestClient> {
  return connect(new StdioClientTransport(command), () => Promise.resolve());
}

async function connect(transport: Transport, terminate: () => Promise<void>): Promise<TestClient> {
  const client = new Client({ name: 'old-client', version: '1.0.0' });
  const updates: string[] = [];
  const listChanges: string[] = [];
  const logs: LogMessage[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
  for (const schema of [
    ResourceListChangedNotificationSchema,
    ToolListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
  ]) {
    client.setNotificationHandler(schema, ({ method }) => void listChanges.push(method));
  }
  await client.connect(transport);
  return {
    era: 'legacy',
    updates,
    listChanges,
    logs,
    capabilities: client.getServerCapabilities(),
    subscribe: async (...uris) => {
      const results = await Promise.allSettled(uris.map((uri) => client.subscribeResource({ uri })));
      const honored = uris.filter((_, index) => results[index]?.status === 'fulfilled');
      return {
        honored,
        end: async () => {
          for (const uri of honored) await client.unsubscribeResource({ uri });
        },
      };
    },
    listAll: async () => {
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        uris.push(...page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return uris;
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri });
      const [first] = contents;
      return first !== undefined && 'text' in first ? first.text : '';
    },
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const [first] = CallToolResultSchema.parse(result).content;
      return first?.type === 'text' ? first.text : '';
    },
    setLogLevel: async (level) => void (await client.setLoggingLevel(level)),
    close: async () => {
      await terminate();
      await client.close();
    },
  };
}

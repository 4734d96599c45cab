// The server for the official conformance suite: every name that the suite requests, built on the kit as by any
// user.
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import { type LiveServer, liveServer } from '@tidings/live';
import { defineAskingTools } from './fixture/asking-tools.ts';
import { defineContentTools } from './fixture/content-tools.ts';
import { defineElicitationTools } from './fixture/elicitation-tools.ts';
import { defineNotifyingTools } from './fixture/notifying-tools.ts';
import { definePrompts } from './fixture/prompts.ts';
import { defineResources } from './fixture/resources.ts';
import { type Conversation, defineRememberingTools } from './fixture/remembering-tools.ts';
import { defineSchemaTools } from './fixture/schema-tools.ts';

export function fixtureServer(): LiveServer {
  const state = createRequestStateCodec<Conversation>({ key: randomBytes(32) });
  const server = liveServer({
    name: 'conformance-fixture',
    version: '1.0.0',
    capabilities: { logging: {} },
    requestState: state,
  });
  defineResources(server);
  definePrompts(server);
  defineContentTools(server);
  defineNotifyingTools(server);
  defineSchemaTools(server);
  defineElicitationTools(server);
  defineAskingTools(server);
  defineRememberingTools(server, state);
  return server;
}

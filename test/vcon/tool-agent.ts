// A client of one vCon server that calls tools and sees their whole results.
import { Client } from '@modelcontextprotocol/client';
import { type Credential, type LiveServer, serveMemory } from '@tidings/live';
import { type Library, type VconServerOptions, openLibrary, vconServer } from '@tidings/vcon';

interface Answered {
  isError: boolean;
  /** The code of an error. */
  code: unknown;
  text: string;
  value: Record<string, unknown>;
  /** URIs of the linked resources. */
  links: string[];
}

export interface Agent extends AsyncDisposable {
  library: Library;
  server: LiveServer;
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Answered>;
  /** Calls a tool and returns its result; throws if the tool fails. */
  do(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  json(uri: string): Promise<unknown>;
}

export async function agentOn(place: string, options: VconServerOptions = {}): Promise<Agent> {
  const library = await openLibrary(place);
  const server = vconServer(library, options);
  return { library, ...(await agentOf(server)), server, [Symbol.asyncDispose]: () => server.close() };
}

export async function agentOf(
  server: LiveServer,
  auth?: Credential,
): Promise<Pick<Agent, 'client' | 'call' | 'do' | 'json'>> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server, auth && { auth }));
  const call: Agent['call'] = async (name, args = {}) => {
    const { isError = false, structuredContent, content, _meta } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return {
      isError,
      code: _meta?.['tidings/code'],
      text: first?.type === 'text' ? first.text : '',
      value: Object(structuredContent),
      links: content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])),
    };
  };
  return {
    client,
    call,
    do: async (name, args) => {
      const { isError, text, value } = await call(name, args);
      if (isError) throw new Error(text);
      return value;
    },
    json: async (uri) => {
      const { contents } = await client.readResource({ uri });
      const [first] = contents;
      return JSON.parse(first !== undefined && 'text' in first ? first.text : 'null');
    },
  };
}

// The plain responses behind an McpServer of the SDK, for one client in memory.
import { InMemoryTransport, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

export async function servePlainly(bare) {
  const mcp = new McpServer({ name: 'plain', version: '1.0.0' });
  const serve = (name, template, read) => {
    mcp.registerResource(name, new ResourceTemplate(template, { list: undefined }), {}, (uri, variables) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: read(variables) }],
    }));
  };
  serve('recent', 'vcon://v1/vcons/recent/ids', () => bare.recentIds());
  serve('ids', 'vcon://v1/vcons/ids/{n}', ({ n }) => bare.ids(Number(n)));
  serve('metadata', 'vcon://v1/vcons/{uuid}/metadata', ({ uuid }) => bare.metadata(uuid));
  const [client, server] = InMemoryTransport.createLinkedPair();
  await mcp.connect(server);
  return client;
}

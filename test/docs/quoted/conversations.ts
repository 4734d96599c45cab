// The code of docs/vcon.md.
import { serveHttp } from '@tidings/live';
import { openVcon } from '@tidings/vcon';

export async function serveConversations(place: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await openVcon({ place });
  const { url, close } = await serveHttp(server, { port: 0 });
  return { url, close: () => close().then(() => server.close()) };
}

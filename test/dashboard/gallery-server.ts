// A server with one resource of each kind that the page displays specially.
import { type LiveServer, type RouteHandle, liveServer } from '@tidings/live';

const markdown = `# A heading

Some *text* with \`code\`, [a link](https://example.com/) and [a trap](javascript:alert(1)).

![a picture](https://example.com/picture.png)

<script>document.title = 'run'</script>

| a | b |
| - | - |
| 1 | 2 |
`;

export interface Gallery {
  server: LiveServer;
  /** Replaces the facts. */
  setFacts(facts: unknown): void;
}

/** An image of one pixel, a text, an integer beyond JavaScript's range, Markdown, and nested JSON. */
export function gallery(): Gallery {
  const server = liveServer({ name: 'gallery', version: '1.0.0' });
  const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  let current: unknown = { outer: { inner: 'deep inside', sum: 0.1 + 0.2 } };
  server.resource('gallery://dot', { name: 'dot', mimeType: 'image/gif', read: () => dot });
  server.resource("gallery://it's", { read: () => 'quoted' });
  server.resource('gallery://number', { mimeType: 'application/json', read: () => '{"id":12345678901234567890}' });
  server.resource('gallery://readme', { title: 'About it', mimeType: 'text/markdown', read: () => markdown });
  const facts: RouteHandle<object> = server.resource('gallery://facts', {
    title: 'Facts about it',
    read: () => JSON.stringify(current),
    mimeType: 'application/json',
  });
  return {
    server,
    setFacts: (next) => {
      current = next;
      facts.changed({});
    },
  };
}

// Two ways to hear of the same changes, in one process: a listen stream straight to the server, and the
// tracker's event stream. Notes when each change arrived on each.
import { get } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answerCalls } from '../calls.js';
import { firstItems, uriOf } from '../items.js';

const arrivals = { direct: new Map(), tracker: new Map() };

answerCalls({
  async open({ serverUrl, eventsUrl, items }) {
    await openDirect(serverUrl, items);
    await openEvents(eventsUrl);
  },

  /** Forgets what arrived, and waits for one arrival of each item both ways. */
  begin() {
    for (const each of Object.values(arrivals)) each.clear();
  },

  async collect(items) {
    while (Object.values(arrivals).some((each) => each.size < items))
      await new Promise((resolve) => setTimeout(resolve, 10));
    return Object.fromEntries(
      Object.entries(arrivals).map(([name, each]) => [name, firstItems(items).map((item) => each.get(uriOf(item)))]),
    );
  },
});

async function openDirect(url, items) {
  const client = new Client({ name: 'watcher', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => arrive('direct', params.uri));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listen({ resourceSubscriptions: firstItems(items).map(uriOf) });
}

function openEvents(url) {
  return new Promise((resolve) => {
    get(url, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) {
          const data = block.split('\n').find((line) => line.startsWith('data: '));
          if (data === undefined) continue;
          const event = JSON.parse(data.slice('data: '.length));
          if (event.type === 'handshake') resolve();
          if (event.type === 'resource_update') arrive('tracker', event.resourceUri);
        }
      });
    });
  });
}

function arrive(way, uri) {
  if (!arrivals[way].has(uri)) arrivals[way].set(uri, Number(process.hrtime.bigint()) / 1e6);
}

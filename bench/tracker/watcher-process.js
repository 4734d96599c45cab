// A client that records the arrival time of each change: on a listen stream of the server, or on the tracker's event
// stream.
import { get } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answerCalls } from '../calls.js';
import { firstItems, uriOf } from '../items.js';

const arrivals = new Map();

answerCalls({
  async listen({ serverUrl, items }) {
    const client = new Client({ name: 'watcher', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => arrive(params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl)));
    await client.listen({ resourceSubscriptions: firstItems(items).map(uriOf) });
  },

  follow,

  /** Forgets all arrivals. */
  begin() {
    arrivals.clear();
  },

  /** The arrival time of each item, once all have arrived. */
  async collect(items) {
    while (arrivals.size < items) await new Promise((resolve) => setTimeout(resolve, 10));
    return firstItems(items).map((item) => arrivals.get(uriOf(item)));
  },
});

/** Resolves when the event stream is open. */
function follow(url) {
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
          if (event.type === 'resource_update') arrive(event.resourceUri);
        }
      });
    });
  });
}

function arrive(uri) {
  if (!arrivals.has(uri)) arrivals.set(uri, Number(process.hrtime.bigint()) / 1e6);
}

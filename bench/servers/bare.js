// The bare mechanism: Node's HTTP server, open responses in one set per URI, `res.write` in a loop. It has no checks
// and is the lower bound.
import { createServer } from 'node:http';
import { uriOf, value } from '../items.js';

export async function serve() {
  const listening = new Map();
  const http = createServer((req, res) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      if (method === 'resources/read') answerRead(res, id, params.uri);
      else hold(res, id, params.notifications, listening);
    });
  });
  await new Promise((resolve) => void http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    change: (number) => {
      const uri = uriOf(number);
      const [head, tail] = frameAround(uri);
      for (const { res, id } of listening.get(uri) ?? []) res.write(head + id + tail);
    },
  };
}

function hold(res, id, notifications, listening) {
  const stream = { res, id: JSON.stringify(id) };
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  res.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications } }));
  for (const uri of notifications.resourceSubscriptions) {
    if (!listening.has(uri)) listening.set(uri, new Set());
    listening.get(uri).add(stream);
  }
  res.on('close', () => {
    for (const uri of notifications.resourceSubscriptions) listening.get(uri).delete(stream);
  });
}

/** Every stream's notification has the id of its own listen request. */
function frameAround(uri) {
  const frame = event({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri, _meta: { 'io.modelcontextprotocol/subscriptionId': '@' } },
  });
  return frame.split('"@"');
}

function answerRead(res, id, uri) {
  const contents = [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }];
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', contents } }));
}

function event(message) {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

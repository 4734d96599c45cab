// A minimal proxy in front of a server on stdio: it replaces request ids and passes everything else on without checks.
// The time of an update through it is that of the kernel and Node.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const upstream = fileURLToPath(new URL('upstream.js', import.meta.url));
const child = spawn(process.execPath, [upstream], { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map();
const streams = new Set();
let lastId = 0;

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (!('id' in message)) {
    for (const stream of streams) stream.write(`data: ${line}\n\n`);
    return;
  }
  const { res, id } = waiting.get(message.id);
  waiting.delete(message.id);
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ...message, id }));
});

const http = createServer((req, res) => void pass(req, res));
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
process.on('SIGTERM', () => child.kill());
child.on('exit', () => process.exit());

async function pass(req, res) {
  const { id, ...request } = JSON.parse(Buffer.concat(await req.toArray()).toString());
  lastId += 1;
  waiting.set(lastId, { res, id });
  if (request.method === 'subscriptions/listen') {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    streams.add(res);
  }
  child.stdin.write(`${JSON.stringify({ ...request, id: lastId })}\n`);
}

// A tracker without a hub in its own process: follows the servers of a configuration file that may be edited, and
// serves their status, contents and events over HTTP.
import { createServer } from 'node:http';
import { systemClock } from '@tidings/live';
import { loadConfig, openTracker, watchConfig } from '@tidings/track';

const [file, place] = process.argv.slice(2);
const { env } = process;
const line = (level) => (fields, text) => process.stderr.write(`${JSON.stringify({ level, ...fields, text })}\n`);
const log = { info() {}, warn: line('warn'), error: line('error') };
const tracker = await openTracker({ config: loadConfig({ file, env }), place, log });
const followed = new WeakSet();

/** Tools and prompts are read only if they are followed. */
function followDefinitions() {
  for (const upstream of tracker.upstreams) {
    if (followed.has(upstream)) continue;
    followed.add(upstream);
    upstream.definitions.follow(() => undefined);
  }
}

function changed(config) {
  tracker.apply(config);
  followDefinitions();
}

followDefinitions();
watchConfig({ file, env }, { changed, rejected: line('error') }, systemClock);

async function answerTo({ pathname, searchParams }) {
  if (pathname === '/healthz') return { status: 'ok' };
  if (pathname === '/api/servers') return { servers: tracker.servers() };
  return tracker.read(searchParams.get('server'), searchParams.get('uri'));
}

function send(res, status, body) {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const http = createServer((req, res) => {
  const target = new URL(req.url, 'http://localhost');
  if (target.pathname === '/api/mcp/resource-events') {
    tracker.events.handle(req, res);
    return;
  }
  answerTo(target).then(
    (body) => send(res, 200, body),
    (error) => send(res, 500, { error: error.message }),
  );
});
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${http.address().port}` })}\n`);
});
process.on('SIGTERM', () => void tracker.close().then(() => process.exit()));

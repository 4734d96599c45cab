// `npm run cluster`: PostgreSQL, NATS, three nodes and a balancer on loopback, to try a cluster. All data is in one
// folder.
//   -- FOLDER   another folder than .tidings/cluster
import { resolve } from 'node:path';
import { LocalServices, isOpen } from './local-services.js';

const folder = resolve(process.argv[2] ?? '.tidings/cluster');
const ports = { balancer: 7400, nodes: [7411, 7412, 7413], postgres: 7420, nats: 7422 };

const missing = LocalServices.missing('postgres', 'initdb', 'nats-server', 'haproxy');
if (missing.length > 0) fail(`Missing: ${missing.join(', ')}. Install them with: bash scripts/install-test-tools.sh`);
for (const port of [ports.balancer, ...ports.nodes, ports.postgres, ports.nats]) {
  if (await isOpen(port)) fail(`Another program uses port ${port}. Stop it first (another cluster, or a hub?).`);
}

let isUp = false;
const services = new LocalServices(folder, (name, log) => {
  // A cluster continues without one of its nodes; ended nodes are not started again.
  if (isUp && name.startsWith('node ')) return console.log(`${name} has ended. The others go on.`);
  console.error(`${name} has ended:\n${log}`);
  void stop(1);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(0));
try {
  console.log('Starting PostgreSQL, NATS, three nodes and HAProxy …');
  const place = await services.postgres(ports.postgres);
  const bus = await services.nats(ports.nats);
  for (const port of ports.nodes) {
    const flags = ['--port', String(port), '--data', place, '--bus', bus, '--trust'];
    services.start(`node ${port}`, process.execPath, ['packages/hub/bin/tidings.js', 'up', ...flags]);
  }
  for (const port of ports.nodes) await services.answering(`node ${port}`, port);
  await services.haproxy('docs/haproxy.cfg', ports.balancer);
  await ready(`http://127.0.0.1:${ports.balancer}/readyz`);
  isUp = true;
  console.log(`
Three nodes behind one address:
  dashboard  http://127.0.0.1:${ports.balancer}/
  MCP        http://127.0.0.1:${ports.balancer}/mcp
  nodes      ${ports.nodes.map((port) => `http://127.0.0.1:${port}`).join('  ')}
  data       ${folder} (delete it afterwards)

Other servers than those built in, for all nodes at once:
  npx tidings config push FILE --data ${place}

Kill a node to see the others take over; Ctrl-C stops them all.`);
} catch (error) {
  console.error(error.message);
  await stop(1);
}

/** The balancer uses nodes once they have answered its first check. */
async function ready(url) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer: see the logs in ${folder}.`);
}

async function stop(code) {
  await services.stop();
  process.exit(code);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// One node: resources whose changes are committed to PostgreSQL and sent over NATS. The parent process makes the node
// change them.
import { openNatsBus } from '@tidings/bus';
import { liveServer, serveHttp } from '@tidings/live';
import { openStore } from '@tidings/store';
import { nameOf, template, uriOf, value } from '../items.js';

const [place, bus] = process.argv.slice(2);
const store = await openStore(place, { name: 'bench', migrations: [], bus: openNatsBus(bus) });
const server = liveServer({ name: 'bench', version: '1.0.0', feed: store.feed, windowMs: 0 });
server.resource(template, { read: ({ name }) => ({ name: nameOf(name), ...value }) });
const { url } = await serveHttp(server, { port: 0 });

const change = (item) => store.write(async ({ announce }) => announce(uriOf(item)));
const commands = {
  /** Returns when the write began, on the clock that all processes of a machine share. */
  change: async ({ item }) => {
    const at = performance.timeOrigin + performance.now();
    await change(item);
    return { at };
  },
  /** Makes changes at this rate for a time; returns their number. */
  load: async ({ perSecond, seconds, item }) => {
    const until = performance.now() + seconds * 1000;
    let made = 0;
    const begun = performance.now();
    const worker = async () => {
      while (performance.now() < until) {
        if (made > ((performance.now() - begun) / 1000) * perSecond)
          await new Promise((resolve) => setTimeout(resolve, 2));
        else {
          made += 1;
          await change(item);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return { made };
  },
  cpu: async () => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1000 };
  },
  memory: async () => {
    globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heap: heapUsed + external, rss };
  },
};
process.on('message', ({ id, command, ...args }) => {
  void commands[command](args).then((answer) => process.send({ id, ...answer }));
});
process.on('disconnect', () => process.exit());
process.send({ url });

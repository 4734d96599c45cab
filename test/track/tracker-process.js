// A tracker in its own process, so that it can be killed: follows the servers of a configuration file, keeps its
// journal in a folder, and prints its state and events as lines of JSON. It also watches the URIs given on the command
// line, reads them after each notification as a client of a gateway would, and prints their contents.
import { loadConfig, openTracker } from '@tidings/track';

const [file, place, ...watched] = process.argv.slice(2);
const tracker = await openTracker({
  config: loadConfig({ file, env: process.env }),
  place,
  log: { warn() {}, error() {} },
});
let next = tracker.journal.start;
const print = () => {
  for (; next < tracker.journal.end; next += 1) {
    const { cursor, event } = tracker.journal.at(next);
    console.log(JSON.stringify({ cursor, event, servers: tracker.servers() }));
  }
};
tracker.journal.follow(print);
print();
for (const uri of watched) {
  for (const upstream of tracker.upstreams) {
    upstream.watch(uri, () => {
      void upstream.read(uri).then(({ contents }) => console.log(JSON.stringify({ read: contents[0].text })));
    });
  }
}
process.on('SIGTERM', () => void tracker.close().then(() => process.exit()));

// A tracker in a process of its own, so that it can be killed: follows the servers of a configuration
// file, keeps its journal in a folder, and prints its state and its events as lines of JSON.
import { loadConfig, openTracker } from '@tidings/track';

const [file, place] = process.argv.slice(2);
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
process.on('SIGTERM', () => void tracker.close().then(() => process.exit()));

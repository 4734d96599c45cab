// A tracker in its own process, as a hub runs it: with a journal in a folder and its event stream over HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTracker, serveEvents } from '@tidings/track';
import { answerCalls } from '../calls.js';

const place = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));

let tracker;

answerCalls({
  async start({ urls }) {
    const servers = urls.map((url, n) => ({ id: `s${n}`, url, headers: {}, enabled: true, trackResources: true }));
    tracker = await openTracker({ config: { servers, tokens: [] }, place });
    return (await serveEvents(tracker.events)).url;
  },

  /** Resolves when all resources are subscribed to. */
  async subscribed(resources) {
    while (!tracker.servers().every(({ subscribed }) => subscribed === resources)) await wait();
  },

  /** Resolves when all contents have been read once as well. */
  async settled(resources) {
    while (!tracker.servers().every(({ hashed }) => hashed === resources)) await wait();
  },
});

function wait() {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

// Once the hub listens, `tidings up` prints its addresses and the states of its servers. With --open, it opens the
// dashboard.
import { urlHost } from '@tidings/live/internal';
import { delay, systemClock } from '@tidings/live/time';
import type { Hub } from '../hub.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';
import { printError, printJson, printLine } from '../terminal/print-line.ts';
import { greeting, settledServers } from './greeting.ts';

/** How long the first output waits for servers to connect; after that it is printed anyway. */
const greetingMs = 1500;
/** How often the remaining servers are checked after that. */
const laterMs = 200;

interface StartReport {
  /** Where the hub listens. */
  address: { host: string; port: number };
  asksForToken: boolean;
  /** A data folder or a postgres:// URL. */
  data: string;
  /** The configuration file. */
  source: string | undefined;
  json: boolean;
  /** Opens the dashboard in the user's browser. */
  open: boolean;
  /** Aborted when the hub stops. */
  signal: AbortSignal;
}

export async function reportStart(hub: Hub, report: StartReport): Promise<void> {
  const { address, data, source, signal } = report;
  await waitUntilReady(hub, signal);
  const url = `http://${urlHost(address.host)}:${address.port}`;
  if (report.json) {
    printJson({ url, mcp: `${url}/mcp`, events: `${url}/api/mcp/resource-events`, data, config: source ?? null });
  } else {
    const isSettled = hub.isReady;
    printLine(greeting({ url, servers: hub.tracker.servers(), asksForToken: report.asksForToken, data, source }));
    if (!isSettled) void printStatesLater(hub, signal);
  }
  // Without the token, since other users of this machine can see the command that opens the browser: the page asks
  // for it.
  if (report.open && !(await openInBrowser(`${url}/`))) printError(`No browser could be started: open ${url}/`);
}

async function waitUntilReady(hub: Hub, signal: AbortSignal): Promise<void> {
  const deadline = systemClock.now() + greetingMs;
  while (!hub.isReady && !signal.aborted && systemClock.now() < deadline) await delay(systemClock, 20);
}

/** Prints the state of the servers, once all are known. */
async function printStatesLater(hub: Hub, signal: AbortSignal): Promise<void> {
  while (!hub.isReady && !signal.aborted) await delay(systemClock, laterMs);
  if (!signal.aborted) printLine(`\n${settledServers(hub.tracker.servers())}`);
}

// Disables entries that lead to the hub itself. The file of a host, to which `tidings init` has added the hub, may also
// be the hub's own configuration; a hub connected to itself would offer its tools again under longer names, and those
// again, without end.
import { isLoopback } from '@tidings/live/internal';
import { parsedUrl } from '@tidings/live/portable';
import type { Config, ServerEntry } from '@tidings/track';

interface OwnAddress {
  host: string;
  port: number;
}

const defaultPort = 7411;

/** The configuration with those entries disabled, and their ids. */
export function withoutItself(config: Config, own: OwnAddress): { config: Config; itself: string[] } {
  const itself = new Set(config.servers.filter((entry) => entry.enabled && isItself(entry, own)).map(({ id }) => id));
  const servers = config.servers.map((entry) => (itself.has(entry.id) ? { ...entry, enabled: false } : entry));
  return { config: { ...config, servers }, itself: [...itself] };
}

function isItself(entry: ServerEntry, own: OwnAddress): boolean {
  if ('url' in entry) return isOwn(entry.url, own);
  if (!('command' in entry)) return false;
  const words = [entry.command, ...entry.args];
  const connect = words.indexOf('connect');
  // As `tidings init` writes it: a program named tidings, and this command.
  if (connect < 1 || !/(^|[\\/])tidings(\.js|\.cmd)?$/.test(words[connect - 1] ?? '')) return false;
  const given = words.slice(connect + 1);
  const hub = given.find((_, index) => given[index - 1] === '--hub') ?? given.find((word) => word.startsWith('--hub='));
  return isOwn(hub?.replace(/^--hub=/, '') ?? `http://127.0.0.1:${defaultPort}`, own);
}

function isOwn(address: string, { host, port }: OwnAddress): boolean {
  const url = parsedUrl(address);
  if (url === undefined || Number(url.port || (url.protocol === 'https:' ? 443 : 80)) !== port) return false;
  return isLoopback(url.hostname) || url.hostname === host;
}

// What `tidings up` prints about its servers and addresses.
import type { ServerStatus } from '@tidings/client/contract';
import { shownPlace } from '../base/data-place.ts';
import { howToAddServers } from '../setup/built-in-names.ts';
import { stateInWords } from '../terminal/state-in-words.ts';

type Line = readonly [name: string, value: string];

interface Greeting {
  url: string;
  servers: readonly ServerStatus[];
  asksForToken: boolean;
  data: string;
  /** The configuration file. */
  source: string | undefined;
}

export function greeting({ url, servers, asksForToken, data, source }: Greeting): string {
  const lines: Line[] = [
    ['dashboard', asksForToken ? `${url}/ (asks for your token, or open /#token=…)` : `${url}/`],
    ['MCP', `${url}/mcp`],
    ['events', `${url}/api/mcp/resource-events`],
    ...serverLines(servers),
    ...(source === undefined ? [] : [['config', source] as const]),
    ['data', shownPlace(data)],
  ];
  return `Tidings is up at ${url}\n\n${aligned(lines)}\n\nCtrl-C stops it.`;
}

/** For servers that needed longer than the greeting waits. */
export function settledServers(servers: readonly ServerStatus[]): string {
  return aligned(serverLines(servers));
}

function serverLines(servers: readonly ServerStatus[]): Line[] {
  const states = servers.map((server) => `${server.id} (${stateInWords(server)})`);
  return [
    ['servers', states.join(', ') || `none. ${howToAddServers}`],
    ...servers.flatMap(({ id, detail }) => (detail === '' ? [] : [['', `${id}: ${detail}`] as const])),
  ];
}

function aligned(lines: readonly Line[]): string {
  return lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`).join('\n');
}

// The servers of a running hub as rows of a table.
import type { ServerStatus } from '@tidings/client/contract';
import { protocolOf } from '@tidings/live/portable';
import { stateInWords } from '../terminal/state-in-words.ts';

const columns: Readonly<Record<string, (server: ServerStatus) => string>> = {
  SERVER: ({ id }) => id,
  STATE: stateInWords,
  RESOURCES: ({ resources }) => String(resources),
  PROTOCOL: ({ era }) => (era === undefined ? '' : protocolOf(era)),
  TRANSPORT: ({ transport }) => (transport === 'memory' ? 'built in' : transport),
  DETAIL: ({ detail }) => detail,
};

interface ServerTable {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

export function serverTable(servers: readonly ServerStatus[]): ServerTable {
  const cells = Object.values(columns);
  return { headings: Object.keys(columns), rows: servers.map((server) => cells.map((cell) => cell(server))) };
}

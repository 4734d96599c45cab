// The servers of a running hub as a table.
import type { ServerStatus } from '@tidings/client/contract';
import { protocolOf, visibleText } from '@tidings/live/portable';
import { formatTable } from '../terminal/format-table.ts';
import type { Screen } from '../terminal/screen.ts';
import { stateInWords } from '../terminal/state-in-words.ts';

type Columns = Readonly<Record<string, (server: ServerStatus) => string>>;

const columns: Columns = {
  SERVER: ({ id }) => id,
  STATE: stateInWords,
  RESOURCES: ({ resources }) => String(resources),
  PROTOCOL: ({ era }) => (era === undefined ? '' : protocolOf(era)),
  TRANSPORT: ({ transport }) => (transport === 'memory' ? 'built in' : transport),
};

/** On a terminal the details, which say what to do, follow the table, which would cut them. */
export function serverTable(servers: readonly ServerStatus[], screen: Screen): string {
  if (!screen.isTerminal) return tableOf(servers, { ...columns, DETAIL: ({ detail }) => detail }, screen);
  const details = servers.filter(({ detail }) => detail !== '');
  const notes = details.map(({ id, detail }) => `\n${screen.style('bold', `${id}:`)} ${visibleText(detail)}`);
  return [tableOf(servers, columns, screen), ...notes].join('\n');
}

function tableOf(servers: readonly ServerStatus[], shown: Columns, screen: Screen): string {
  const cells = Object.values(shown);
  const rows = servers.map((server) => cells.map((cell) => cell(server)));
  return formatTable(Object.keys(shown), rows, screen);
}

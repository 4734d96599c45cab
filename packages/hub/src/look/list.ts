// A server's list, read within the tracker's bounds, as rows of a table.
import { ProtocolError } from '@modelcontextprotocol/client';
import { systemClock } from '@tidings/live';
import { type ListKind, type ListedItems, type ListResult, type ServerSession, listAll } from '@tidings/track/session';
import { byteCount } from '@tidings/client/contract';

const methodNotFound = -32601;

/** `items` has everything that the server lists of them. */
interface ListTable {
  items: readonly unknown[];
  /** Which part was left out and why; empty if the list is complete. */
  missing: string;
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

type ReadList<Item> = Pick<ListResult<Item>, 'items' | 'missing'>;
type Columns<Item> = Readonly<Record<string, (item: Item) => string | undefined>>;

const resourceColumns: Columns<ListedItems['resources']> = {
  URI: ({ uri }) => uri,
  NAME: ({ title, name }) => title ?? name,
  TYPE: ({ mimeType }) => mimeType,
  SIZE: ({ size }) => (size === undefined ? undefined : byteCount(size)),
  DESCRIPTION: ({ description }) => description,
};

const templateColumns: Columns<ListedItems['templates']> = {
  TEMPLATE: ({ uriTemplate }) => uriTemplate,
  NAME: ({ title, name }) => title ?? name,
  TYPE: ({ mimeType }) => mimeType,
  DESCRIPTION: ({ description }) => description,
};

const toolColumns: Columns<ListedItems['tools']> = {
  TOOL: ({ name }) => name,
  TITLE: ({ title }) => title,
  DESCRIPTION: ({ description }) => description,
};

const promptColumns: Columns<ListedItems['prompts']> = {
  PROMPT: ({ name }) => name,
  TITLE: ({ title }) => title,
  ARGUMENTS: ({ arguments: all = [] }) => all.map(({ name, required }) => (required ? name : `${name}?`)).join(', '),
  DESCRIPTION: ({ description }) => description,
};

const capabilityOf = { resources: 'resources', templates: 'resources', tools: 'tools', prompts: 'prompts' } as const;

export async function listTable(session: ServerSession, kind: ListKind): Promise<ListTable> {
  switch (kind) {
    case 'tools':
      return tableOf(await listOf(session, kind), toolColumns);
    case 'prompts':
      return tableOf(await listOf(session, kind), promptColumns);
    case 'templates':
      return tableOf(await listOf(session, kind), templateColumns);
    default:
      return tableOf(await listOf(session, kind), resourceColumns);
  }
}

function tableOf<Item>({ items, missing }: ReadList<Item>, columns: Columns<Item>): ListTable {
  const cells = Object.values(columns);
  return {
    items,
    missing,
    headings: Object.keys(columns),
    rows: items.map((item) => cells.map((cell) => cell(item) ?? '')),
  };
}

/** A server without such a list has an empty one. */
export async function listOf<Kind extends ListKind>(
  { client, capabilities }: ServerSession,
  kind: Kind,
): Promise<ReadList<ListedItems[Kind]>> {
  if (capabilities[capabilityOf[kind]] === undefined) return { items: [], missing: '' };
  try {
    return await listAll(client, kind, { clock: systemClock });
  } catch (error) {
    const isUnknown = error instanceof ProtocolError && error.code === methodNotFound;
    // Many servers have resources and no templates.
    if (kind === 'templates' && isUnknown) return { items: [], missing: '' };
    throw error;
  }
}

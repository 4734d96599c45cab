// Collections of conversations: the newest, in full or in short, and all of them page by page.
import { type Caller, type LiveServer, LiveError } from '@tidings/live';
import { listPositionOf } from '../source/list-position.ts';
import { collectionTopic, maxRecent, rankTopic } from '../source/topics.ts';
import { type ReaderFor, base, jsonType } from './conversation-base.ts';

const defaultRecent = 10;
const defaultIds = 100;
const maxIds = 1000;

export function addCollections(server: LiveServer, readerFor: ReaderFor): void {
  server.resource(`${base}/recent{/n}`, {
    ...jsonType,
    name: 'Recent conversations',
    description: `The newest vCons in full: ${defaultRecent}, or as many as asked for (at most ${maxRecent}).`,
    read: async ({ n }, { caller }) => {
      const limit = numberOf(n, defaultRecent, maxRecent);
      const vcons = await readerFor(caller).newest(limit);
      return `{"count":${vcons.length},"limit":${limit},"vcons":[${vcons.join(',')}]}`;
    },
    list: () => [[{}, { name: 'Recent conversations' }]],
    topics: ({ n }) => [collectionTopic, ...newestTopics(n)],
  });

  server.resource(`${base}/recent/ids{/n}`, {
    ...jsonType,
    name: 'Recent conversations, in short',
    description: `UUID, time and subject of the newest vCons: ${defaultRecent}, or as many as asked for (at most ${maxRecent}).`,
    read: async ({ n }, { caller }) => {
      const limit = numberOf(n, defaultRecent, maxRecent);
      const { entries } = await readerFor(caller).page(limit);
      return `{"count":${entries.length},"limit":${limit},"vcons":[${entries.join(',')}]}`;
    },
    list: () => [[{}, { name: 'Recent conversations, in short' }]],
    topics: () => [collectionTopic],
  });

  const readIds = async (n: string | undefined, after: string | undefined, caller: Caller) => {
    const limit = numberOf(n, defaultIds, maxIds);
    const position = after === undefined ? undefined : listPositionOf(after);
    const { entries, nextCursor } = await readerFor(caller).page(limit, position);
    const more = `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)}`;
    return `{"count":${entries.length},"limit":${limit},${more},"vcons":[${entries.join(',')}]}`;
  };
  server.resource(`${base}/ids{/n}`, {
    ...jsonType,
    name: 'All conversations',
    description: `UUID, time and subject of every vCon, page by page: ${defaultIds} on each, or as many as asked for (at most ${maxIds}).`,
    read: ({ n }, { caller }) => readIds(n, undefined, caller),
    list: () => [[{}, { name: 'All conversations' }]],
    topics: () => [collectionTopic],
  });
  server.resource(`${base}/ids/{n}/after/{cursor}`, {
    ...jsonType,
    name: 'All conversations, the next page',
    description: 'Continues after the next_cursor of a page, or after a time.',
    read: ({ n, cursor }, { caller }) => readIds(n, cursor, caller),
    topics: () => [collectionTopic],
  });
}

/** A change of any of these conversations changes the resource. */
function newestTopics(n: string | undefined): string[] {
  // An invalid number has no topics.
  const count = n === undefined ? defaultRecent : Math.min(Number(n), maxRecent);
  return Number.isInteger(count) && count > 0 ? Array.from({ length: count }, (_, rank) => rankTopic(rank)) : [];
}

/** The requested number: at most `most`; less than one is refused. */
function numberOf(text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  if (/^\d+$/.test(text) && Number(text) > 0) return Math.min(Number(text), most);
  throw new LiveError('INVALID_PARAMS', `How many? Give a whole number from 1 to ${most}.`);
}

// Updates for an agent as an async iterable: input for any agent SDK that takes a stream.
import { onAbort } from '@tidings/live/time';
import { newsMessage, summaryMessage } from '../tell/message.ts';
import type { Batch } from '../tell/pacing.ts';
import type { FollowedNews } from './follow.ts';
import { Telling, type TellingOptions } from './telling.ts';

/** Which updates, when, and until when. Default: all, at once, forever. */
export interface UpdatesOptions extends TellingOptions {
  /** Ends it. Default: it ends when the loop does. */
  signal?: AbortSignal;
}

/** One update. */
export interface UpdateLine {
  /** A sentence for the agent. Text of a server appears in it only as a percent-encoded URI. */
  readonly line: string;
  /** Undefined if all servers may be concerned, and for a summary. */
  readonly serverId: string | undefined;
  /** The resource, as its server spells it; undefined for a gap and a summary. */
  readonly uri: string | undefined;
  /** `gap`: something may have changed, read again what matters. `summary`: many updates in one line (`perMinute`). */
  readonly kind: 'update' | 'removed' | 'gap' | 'summary';
  /** As `after`, a later run continues after this update. */
  readonly cursor: string | undefined;
}

/** The updates of a hub, one after the other. */
export type Updates = AsyncGenerator<UpdateLine, void> & {
  /** For `when: 'between-turns'`: the model has started or finished an answer. */
  answering(this: void, isAnswering: boolean): void;
};

/**
 * One line for each update. After a lost connection it continues where it stopped: no event comes twice and none is
 * left out; a gap is a line, too. While a line is not taken, the following ones merge by resource.
 *
 * @example
 * for await (const { line, uri } of updates({ hub: 'http://127.0.0.1:7411' })) console.log(line, uri);
 */
export function updates(options: UpdatesOptions): Updates {
  const telling = new Telling(options);
  const ending = new AbortController();
  const lines = linesFrom(telling, ending, options.signal);
  const leave = lines.return.bind(lines);
  return Object.assign(lines, {
    answering: (isAnswering: boolean) => telling.answering(isAnswering),
    // A generator would first wait for the pending line.
    return: (value: void) => {
      ending.abort();
      return leave(value);
    },
  });
}

async function* linesFrom(
  telling: Telling,
  ending: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<UpdateLine, void> {
  const unlink = onAbort(signal, () => ending.abort());
  try {
    for await (const batch of telling.batches(ending.signal)) yield* updateLines(batch);
  } finally {
    ending.abort();
    unlink();
  }
}

function updateLines({ news, isSummary }: Batch<FollowedNews>): UpdateLine[] {
  if (!isSummary) return news.map(updateLine);
  const cursor = news.at(-1)?.cursor;
  return [{ line: summaryMessage(news), serverId: undefined, uri: undefined, kind: 'summary', cursor }];
}

function updateLine(news: FollowedNews): UpdateLine {
  const { serverId, kind, cursor } = news;
  return { line: newsMessage(news), serverId, uri: news.type === 'gap' ? undefined : news.resourceUri, kind, cursor };
}

// What an agent is to be told, as an async iterable: input for any agent SDK that takes a stream.
import { Telling, type TellingOptions, linesOf } from './telling.ts';

export interface UpdatesOptions extends TellingOptions {
  /** Ends it. */
  signal?: AbortSignal;
}

export type Updates = AsyncGenerator<string, void> & {
  /** For `when: 'between-turns'`: the model has started or finished an answer. */
  answering(this: void, isAnswering: boolean): void;
};

/**
 * One line for each update. After a lost connection it continues where it stopped: no event comes twice and none is
 * left out; a gap is a line, too. While a line is not taken, the following ones merge by resource.
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
): AsyncGenerator<string, void> {
  const end = () => ending.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    for await (const batch of telling.batches(ending.signal)) yield* linesOf(batch);
  } finally {
    end();
    signal?.removeEventListener('abort', end);
  }
}

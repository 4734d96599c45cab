// Takes updates out of a stream of notifications before the SDK reads it: the SDK decodes, splits, parses and validates
// an event in a stage each, which takes longer than all else that is done with an update. Everything but plain updates is
// left to the SDK.
import { plainMessage, updatedUri } from '../plain-message.ts';

const lineFeed = 10;
/** An event without an id: by ids, the SDK knows where to resume. */
const updateEvent = /(?:event: ?message\n)?data: ?(.+)\n\n/y;

export class PlainUpdates {
  readonly #updated: (uri: string) => boolean;
  /** Whether what the SDK has of the stream ends with a whole event. */
  #isBetweenEvents = true;

  /** `updated` returns whether the update was taken. */
  constructor(updated: (uri: string) => boolean) {
    this.#updated = updated;
  }

  /** Whether the chunk consists of updates that were all taken. Its lines end in LF. */
  take(chunk: Uint8Array): boolean {
    const uris = this.#isBetweenEvents ? updatesIn(chunk) : undefined;
    if (uris?.every((uri) => this.#updated(uri)) === true) return true;
    this.#isBetweenEvents = chunk.at(-1) === lineFeed && chunk.at(-2) === lineFeed;
    return false;
  }
}

/** Undefined where there is anything else in the chunk. */
function updatesIn(chunk: Uint8Array): string[] | undefined {
  if (chunk.length === 0) return undefined;
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('utf8');
  const uris: string[] = [];
  for (updateEvent.lastIndex = 0; updateEvent.lastIndex < text.length;) {
    const uri = uriIn(updateEvent.exec(text)?.[1]);
    if (uri === undefined) return undefined;
    uris.push(uri);
  }
  return uris;
}

function uriIn(data: string | undefined): string | undefined {
  if (data === undefined) return undefined;
  try {
    const message = plainMessage(JSON.parse(data));
    return message && updatedUri(message);
  } catch {
    return undefined;
  }
}

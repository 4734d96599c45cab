// Handles updates on a notification stream before the SDK reads it. The SDK decodes, splits, parses and validates an
// event in a stage each, which takes longer than all other work on an update. Everything but plain updates is left to
// the SDK.
import { plainMessage, updatedUri } from '../plain-message.ts';

const lineFeed = 10;
/** Matches only events without an id: the SDK needs the ids to resume. */
const updateEvent = /(?:event: ?message\n)?data: ?(.+)\n\n/y;

export class PlainUpdates {
  readonly #updated: (uri: string) => boolean;
  /** Whether the bytes passed to the SDK end with a whole event. */
  #isBetweenEvents = true;

  /** `updated` returns whether it handled the update. */
  constructor(updated: (uri: string) => boolean) {
    this.#updated = updated;
  }

  /** Returns whether the chunk consists only of updates that were all handled. Its lines end in LF. */
  take(chunk: Uint8Array): boolean {
    const uris = this.#isBetweenEvents ? updatesIn(chunk) : undefined;
    if (uris?.every((uri) => this.#updated(uri)) === true) return true;
    this.#isBetweenEvents = chunk.at(-1) === lineFeed && chunk.at(-2) === lineFeed;
    return false;
  }
}

/** The updated URIs; undefined if there is anything else in the chunk. */
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

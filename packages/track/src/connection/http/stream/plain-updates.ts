// Handles updates on a notification stream before the SDK reads it. The SDK decodes, splits, parses and validates an
// event in a stage each, which takes longer than all other work on an update. Everything but plain updates is left to
// the SDK.
import { parsedJson } from '@tidings/live/portable';
import { plainMessage, updatedUri } from '../../message/plain-message.ts';
import { streamEvents } from './stream-events.ts';

const lineFeed = 10;

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
    const endsInBlankLine = chunk.at(-1) === lineFeed && chunk.at(-2) === lineFeed;
    const uris = this.#isBetweenEvents && endsInBlankLine ? updatesIn(chunk) : undefined;
    if (uris?.every((uri) => this.#updated(uri)) === true) return true;
    this.#isBetweenEvents = endsInBlankLine;
    return false;
  }
}

/** The updated URIs; undefined if there is anything else in the chunk. */
function updatesIn(chunk: Uint8Array): string[] | undefined {
  const uris: string[] = [];
  for (const event of streamEvents(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('utf8'))) {
    // The SDK needs the ids to resume.
    const uri = event.isPlain ? uriIn(event.data) : undefined;
    if (uri === undefined) return undefined;
    uris.push(uri);
  }
  return uris;
}

function uriIn(data: string | undefined): string | undefined {
  if (data === undefined) return undefined;
  const message = plainMessage(parsedJson(data));
  return message && updatedUri(message);
}

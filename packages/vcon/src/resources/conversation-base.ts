// The common parts of all resources of a conversation: URI, reader, completion of the uuid.
import { type Caller, type Completer, LiveError } from '@tidings/live';
import { asUuid } from '../model/uuid.ts';
import type { VconReader } from '../source/vcon-reader.ts';

/** Returns the reader that redacts for a caller. */
export type ReaderFor = (caller: Caller) => VconReader;

export const base = 'vcon://v1/vcons';
export const jsonType = { mimeType: 'application/json' };

/** The canonical UUID; throws for anything else. */
export function known(uuid: string): string {
  const key = asUuid(uuid);
  if (key !== undefined) return key;
  throw new LiveError(
    'RESOURCE_NOT_FOUND',
    'There is no vCon of that name: a UUID has the form 8-4-4-4-12, in hexadecimal digits.',
  );
}

/** One more than an answer can hold, so that the client learns that there are more. */
const suggestions = 101;

export function uuids(readerFor: ReaderFor): Completer {
  return (prefix, _, caller) => readerFor(caller).uuidsStartingWith(prefix, suggestions);
}

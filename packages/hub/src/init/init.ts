// Tells a host about Tidings: the snippet for its file, or the edit of it.
import { Failure } from '../terminal/failure.ts';
import { type Entry, type Installation, type Way, entriesFor } from './entries.ts';
import { Unreadable, withEntries } from './edit.ts';
import type { Host, Place } from './host.ts';
import { ChangedMeanwhile, contentOf, replaceFile } from './replace-file.ts';

export interface Introduction {
  host: string;
  file: string;
  snippet: Record<string, Record<string, Entry>>;
  /** What happened to the file; `none` without --write. */
  written: 'none' | 'created' | 'changed' | 'already there';
  backup?: string;
}

export interface InitSettings {
  host: Host;
  /** By default the hub where the host takes an address. */
  way: Way | undefined;
  write: boolean;
  place: Place;
  installation: Installation;
  now: Date;
}

export async function introduce(settings: InitSettings): Promise<Introduction> {
  const { host, way = host.takesAddress ? 'hub' : 'stdio', write, place, installation, now } = settings;
  if (way === 'hub' && !host.takesAddress) {
    throw new Failure(`${host.title} takes no address in its file. Leave --via out, or use --via stdio.`, 2);
  }
  const entries = entriesFor(host, way, installation);
  const file = host.file(place);
  const introduction: Introduction = { host: host.name, file, snippet: { [host.member]: entries }, written: 'none' };
  if (!write) return introduction;
  try {
    const before = await contentOf(file);
    const after = withEntries(before ?? '', host, entries);
    if (after === before) return { ...introduction, written: 'already there' };
    const backup = await replaceFile(file, before, after, now);
    if (backup === undefined) return { ...introduction, written: 'created' };
    return { ...introduction, written: 'changed', backup };
  } catch (error) {
    throw explained(error, introduction);
  }
}

function explained(error: unknown, { file, snippet }: Introduction): unknown {
  if (error instanceof Unreadable) {
    const text = JSON.stringify(snippet, null, 2);
    return new Failure(
      `${file} cannot be edited safely, and was left as it is. ${error.message}\nMend it and try again, or put this in by hand:\n${text}`,
    );
  }
  if (error instanceof ChangedMeanwhile) {
    return new Failure(`${file} was changed by somebody else just now, and was left as it is. Try again.`);
  }
  if (error instanceof Error && 'code' in error) {
    return new Failure(`${file} could not be written (${String(error.code)}). Check who may write there.`);
  }
  return error;
}

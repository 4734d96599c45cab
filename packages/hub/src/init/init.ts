// Sets up a host: makes the snippet for its file, and with --write edits the file.
import { Failure } from '../terminal/failure.ts';
import {
  type HostEntry,
  type HostInput,
  type Installation,
  type HostWay,
  entriesFor,
  inputsFor,
  replacedBy,
} from './entries.ts';
import { UnreadableFile, withEntries, withInputs } from './edit.ts';
import type { Host, HostEnvironment } from './host.ts';
import { ChangedMeanwhile, contentOf, replaceFile } from '../base/replace-file.ts';

export interface Introduction {
  host: string;
  file: string;
  snippet: Record<string, Record<string, HostEntry> | HostInput[]>;
  /** The outcome for the file; `none` without --write. */
  written: 'none' | 'created' | 'changed' | 'already there';
  backup?: string;
}

export interface InitSettings {
  host: Host;
  way: HostWay;
  write: boolean;
  where: HostEnvironment;
  installation: Installation;
  now: Date;
}

export async function introduce(settings: InitSettings): Promise<Introduction> {
  const { host, way, write, where, installation, now } = settings;
  const entries = entriesFor(host, way, installation);
  const file = host.file(where);
  const inputs = inputsFor(host, way, installation);
  const snippet = { [host.member]: entries, ...(inputs.length > 0 && { inputs }) };
  const introduction: Introduction = { host: host.name, file, snippet, written: 'none' };
  if (!write) return introduction;
  try {
    const before = await contentOf(file);
    const edited = withEntries(before ?? '', host, entries, replacedBy(way, installation));
    const after = withInputs(edited, inputs);
    if (after === before) return { ...introduction, written: 'already there' };
    const backup = await replaceFile(file, before, after, now);
    if (backup === undefined) return { ...introduction, written: 'created' };
    return { ...introduction, written: 'changed', backup };
  } catch (error) {
    throw explained(error, introduction);
  }
}

function explained(error: unknown, { file, snippet }: Introduction): unknown {
  if (error instanceof UnreadableFile) {
    const text = JSON.stringify(snippet, null, 2);
    return new Failure(
      `${file} cannot be edited safely, and was not changed. ${error.message}\nCorrect it and try again, or add this by hand:\n${text}`,
    );
  }
  if (error instanceof ChangedMeanwhile) {
    return new Failure(`${file} was changed by another program at the same moment, and was not written. Try again.`);
  }
  if (error instanceof Error && 'code' in error) {
    return new Failure(
      `${file} could not be written (${String(error.code)}). Check the permissions of the file and its folder.`,
    );
  }
  return error;
}

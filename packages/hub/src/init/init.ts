// Sets up a host: makes the snippet for its file, of servers or of hooks, and with --write edits the file.
import { systemCode } from '@tidings/live/portable';
import { Failure } from '../terminal/failure.ts';
import { type Installation, type HostWay, entriesFor, inputsFor, ownInputs, replacedBy } from './entries.ts';
import { UnreadableFile, withEntries, withInputs, withoutUnusedInputs } from './edit.ts';
import { withHooks } from './hook-edit.ts';
import { hookEntriesFor, hookSnippet } from './hook-entries.ts';
import type { HookedHost } from './hooked-host.ts';
import type { Host, HostEnvironment } from './host.ts';
import { ChangedMeanwhile, contentOf, replaceFile } from '../base/replace-file.ts';

export interface HostSetup {
  host: string;
  file: string;
  snippet: Record<string, unknown>;
  /** The outcome for the file; `none` without --write. */
  written: 'none' | 'created' | 'changed' | 'already there';
  backup?: string;
}

interface CommonSettings {
  write: boolean;
  where: HostEnvironment;
  installation: Installation;
  now: Date;
}

interface InitSettings extends CommonSettings {
  host: Host;
  way: HostWay;
}

interface InitHooksSettings extends CommonSettings {
  host: HookedHost;
}

export function setUpServers({ host, way, ...settings }: InitSettings): Promise<HostSetup> {
  const { where, installation } = settings;
  const entries = entriesFor(host, way, installation);
  const inputs = inputsFor(host, way, installation);
  const snippet = { [host.member]: entries, ...(inputs.length > 0 && { inputs }) };
  const edit = (text: string) => {
    const whole = withInputs(withEntries(text, host, entries, replacedBy(way, installation)), inputs);
    return withoutUnusedInputs(whole, ownInputs(host, installation));
  };
  return written({ host: host.name, file: host.file(where), snippet, written: 'none' }, edit, settings);
}

export function setUpHooks({ host, ...settings }: InitHooksSettings): Promise<HostSetup> {
  const { where, installation } = settings;
  const entries = hookEntriesFor(host, { ...installation, platform: where.platform });
  const snippet = hookSnippet(host, entries);
  const edit = (text: string) => withHooks(text, host, entries);
  return written({ host: host.name, file: host.file(where), snippet, written: 'none' }, edit, settings);
}

async function written(
  setup: HostSetup,
  edit: (text: string) => string,
  { write, now }: CommonSettings,
): Promise<HostSetup> {
  if (!write) return setup;
  const { file } = setup;
  try {
    const before = await contentOf(file);
    const after = edit(before ?? '');
    if (after === before) return { ...setup, written: 'already there' };
    const backup = await replaceFile(file, before, after, now);
    if (backup === undefined) return { ...setup, written: 'created' };
    return { ...setup, written: 'changed', backup };
  } catch (error) {
    throw explained(error, setup);
  }
}

function explained(error: unknown, { file, snippet }: HostSetup): unknown {
  if (error instanceof UnreadableFile) {
    const text = JSON.stringify(snippet, null, 2);
    return new Failure(
      `${file} cannot be edited safely, and was not changed. ${error.message}\nCorrect it and try again, or add this by hand:\n${text}`,
    );
  }
  if (error instanceof ChangedMeanwhile) {
    return new Failure(`${file} was changed by another program at the same moment, and was not written. Try again.`);
  }
  const code = systemCode(error);
  if (code !== undefined) {
    return new Failure(`${file} could not be written (${code}). Check the permissions of the file and its folder.`);
  }
  return error;
}

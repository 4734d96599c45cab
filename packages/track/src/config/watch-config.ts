// Watches a configuration file by reading it once a second, which works on every file system and with every editor.
import { readFileSync } from 'node:fs';
import type { Clock } from '@tidings/live';
import { every } from '@tidings/live/time';
import { fileStamp } from '../base/file-stamp.ts';
import type { Config } from './config.ts';
import { type ParseOptions, parseConfig } from './parse-config.ts';

const lookEveryMs = 1000;

/** Which file to watch, and since when. */
export interface WatchOptions extends ParseOptions {
  /** The `fileStamp` of the file, from before it was read. Default: what the file is now. */
  since?: string | undefined;
}

/** A watched file; `close` stops watching. */
export interface ConfigWatcher {
  close(): void;
}

/** Called for edits of the file. */
export interface ConfigListener {
  /** A valid edit. */
  changed(config: Config): void;
  /** The file is missing or invalid: the last valid configuration stays in force. */
  rejected(error: unknown): void;
}

/**
 * Reads a configuration file. Throws an error that names file, entry and field.
 *
 * @example
 * const config = loadConfig({ file: 'servers.json', env: process.env });
 */
export function loadConfig(options: ParseOptions): Config {
  return parseConfig(readFileSync(options.file, 'utf8'), options);
}

/**
 * Reports edits of the file since `since`, within a few seconds.
 *
 * @example
 * const since = fileStamp('servers.json');
 * const tracker = await openTracker({ config: loadConfig({ file: 'servers.json', env: process.env }) });
 * const listener = { changed: (config) => tracker.apply(config), rejected: (error) => console.error(error) };
 * const watcher = watchConfig({ file: 'servers.json', env: process.env, since }, listener, systemClock);
 */
export function watchConfig(options: WatchOptions, listener: ConfigListener, clock: Clock): ConfigWatcher {
  let lastSeen = fileStamp(options.file);
  let { since: inForce = lastSeen } = options;
  const look = () => {
    const stamp = fileStamp(options.file);
    // A file that is still being written differs the next time.
    if (stamp !== inForce && stamp === lastSeen) {
      inForce = stamp;
      try {
        listener.changed(loadConfig(options));
      } catch (error) {
        listener.rejected(error);
      }
    }
    lastSeen = stamp;
  };
  const timer = every(clock, lookEveryMs, look);
  return { close: () => timer.cancel() };
}

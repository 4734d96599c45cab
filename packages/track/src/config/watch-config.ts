// Watches a configuration file by reading it once a second: that works on every file system and with every way
// an editor saves.
import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '@tidings/live';
import { every } from '@tidings/live/time';
import type { Config } from './config.ts';
import { type ParseOptions, parseConfig } from './parse-config.ts';

const lookEveryMs = 1000;

export interface ConfigWatcher {
  close(): void;
}

export interface ConfigListener {
  /** A valid edit. */
  changed(config: Config): void;
  /** The file is missing or invalid: the last valid configuration stays in force. */
  rejected(error: unknown): void;
}

export function loadConfig(options: ParseOptions): Config {
  return parseConfig(readFileSync(options.file, 'utf8'), options);
}

/** Reports edits made after `text` was read by the caller. */
export function watchConfig(options: ParseOptions, listener: ConfigListener, clock: Clock): ConfigWatcher {
  let inForce = stampOf(options.file);
  let lastSeen = inForce;
  const look = () => {
    const stamp = stampOf(options.file);
    // A file that is still being written will differ the next time.
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

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : 'gone';
}

// The kit under test: the real build, or a sabotaged copy of it.
import { pathToFileURL } from 'node:url';
import * as live from '@tidings/live';
import * as testing from '@tidings/live/testing';

export interface Kit {
  /** The folder of a copy; undefined for the real build. */
  folder: string | undefined;
  live: typeof live;
  testing: typeof testing;
}

export const realKit: Kit = { folder: undefined, live, testing };

export async function loadKit(folder: string): Promise<Kit> {
  return {
    folder,
    live: await import(pathToFileURL(`${folder}/index.js`).href),
    testing: await import(pathToFileURL(`${folder}/testing.js`).href),
  };
}

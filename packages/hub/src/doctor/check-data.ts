// Checks that the data folder can be read and written, or created. Nothing is created or changed.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDatabase } from '../base/data-place.ts';
import type { Finding } from './finding.ts';

const subject = 'data';

export async function checkData(place: string): Promise<Finding[]> {
  if (isDatabase(place)) {
    return [{ verdict: 'note', subject, detail: 'is in PostgreSQL, which is not checked.' }];
  }
  try {
    const stats = statSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return [newFolder(place)];
    if (!stats.isDirectory()) return [wrong(`${place} is not a folder.`, 'Choose another folder with --data.')];
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of readdirSync(place).filter((each) => each.endsWith('.db'))) {
      accessSync(join(place, name), constants.R_OK | constants.W_OK);
    }
    return [{ verdict: 'fine', subject, detail: place }];
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : place;
    return [wrong(`${path} is not readable and writable.`)];
  }
}

/** The folder will be created: the nearest existing folder above it must be writable. */
function newFolder(place: string): Finding {
  let parent = dirname(place);
  while (statSync(parent, { throwIfNoEntry: false }) === undefined) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return { verdict: 'fine', subject, detail: `${place} will be created.` };
  } catch {
    return wrong(`${place} does not exist, and ${parent} is not writable.`);
  }
}

function wrong(detail: string, advice = 'Change its permissions, or choose another folder with --data.'): Finding {
  return { verdict: 'wrong', subject, detail, advice };
}

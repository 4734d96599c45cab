// For commands that only read data: a folder that does not exist is a mistake in --data, and must not be created.
import { existsSync } from 'node:fs';
import { isDatabase } from '../base/data-place.ts';
import { Failure } from './failure.ts';

export function assertExists(place: string): void {
  if (!isDatabase(place) && !existsSync(place)) throw noFolder(place);
}

export function noFolder(folder: string): Failure {
  return new Failure(`There is no folder ${folder}. Name another with --data.`);
}

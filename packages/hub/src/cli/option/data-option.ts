// `--data`: where state lives.
import { resolve } from 'node:path';
import type { Option } from 'commander';
import { userDataFolder } from '../../setup/user-data-folder.ts';
import { variableOption } from './variable-option.ts';

export function dataOption(): Option {
  return variableOption('--data <place>', 'the folder for state, or a postgres:// URL', 'TIDINGS_DATA')
    .default(userDataFolder(), "the user's own")
    .argParser(dataPlace);
}

/** A folder of this machine, or a database elsewhere. */
function dataPlace(place: string): string {
  return /^postgres(ql)?:/.test(place) ? place : resolve(place);
}

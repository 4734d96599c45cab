// `--data`: where state is kept.
import type { Option } from 'commander';
import { absolutePlace } from '../../base/data-place.ts';
import { userDataFolder } from '../../setup/user-data-folder.ts';
import { variableOption } from './variable-option.ts';

export function dataOption(): Option {
  return variableOption('--data <place>', 'the folder for state, or a postgres:// URL', 'TIDINGS_DATA')
    .default(userDataFolder(), "the user's own")
    .argParser(absolutePlace);
}

// `--log-level`, of commands that run until they are ended.
import type { Option } from 'commander';
import { variableOption } from './variable-option.ts';

export function logLevelOption(): Option {
  return variableOption('--log-level <level>', 'how much is logged, on stderr', 'TIDINGS_LOG_LEVEL')
    .choices(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('warn');
}

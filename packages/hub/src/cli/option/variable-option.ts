// An option of the command line that an environment variable can stand in for.
import { Option } from 'commander';

/** An empty variable counts as none, and 0 or false turns no switch on. */
export function variableOption(flags: string, summary: string, variable: string): Option {
  const option = new Option(flags, summary);
  const value = process.env[variable];
  const isOff = value === '' || (option.isBoolean() && /^(0|false|no|off)$/i.test(value ?? ''));
  return isOff ? option : option.env(variable);
}

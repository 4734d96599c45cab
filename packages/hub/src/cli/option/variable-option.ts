// A command-line option that can also be set by an environment variable.
import { Option } from 'commander';

/** An empty variable counts as unset; 0, false, no and off leave a switch off. */
export function variableOption(flags: string, summary: string, variable: string): Option {
  const option = new Option(flags, summary);
  const value = process.env[variable];
  const isOff = value === '' || ((option.isBoolean() || option.negate) && /^(0|false|no|off)$/i.test(value ?? ''));
  return isOff ? option : option.env(variable);
}

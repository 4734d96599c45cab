// `--allow-host`: names in the Host header of requests that come through a proxy.
import { InvalidArgumentError, type Option } from 'commander';
import { variableOption } from './variable-option.ts';

export function allowHostOption(): Option {
  return variableOption(
    '--allow-host <name...>',
    'names by which clients reach it through a proxy',
    'TIDINGS_ALLOW_HOST',
  ).argParser(hostNames);
}

/** The flag can be repeated; a variable has several names separated by commas. */
function hostNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => /^[\w.-]+$/.test(name))) return [...before, ...names];
  throw new InvalidArgumentError('A host is a name such as tidings.example.com, without scheme and port.');
}

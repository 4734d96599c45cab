// Parses a count of the command line.
import { InvalidArgumentError } from 'commander';

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

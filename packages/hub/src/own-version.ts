// The version of this package, as its manifest has it.
import { readFileSync } from 'node:fs';

export function ownVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

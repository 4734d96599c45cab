// Copies the built dashboard into the hub while the hub is packed, and removes the copy afterwards, because a copy in
// the workspace would become outdated.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBundleNewest } from '../packages/hub/bin/entry.js';

const built = fileURLToPath(new URL('../packages/dashboard/dist', import.meta.url));
const copy = fileURLToPath(new URL('../packages/hub/dashboard', import.meta.url));

rmSync(copy, { recursive: true, force: true });
if (!process.argv.includes('--remove')) {
  if (!existsSync(built) || !isBundleNewest()) {
    throw new Error('The dashboard or the command is not built: run `npm run build` first.');
  }
  cpSync(built, copy, { recursive: true });
}

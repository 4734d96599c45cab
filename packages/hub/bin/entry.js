// Which build of the command runs. The bundle starts in half the time of the thousand modules that it is made of; in a
// checkout it is used only while nothing was compiled after it.
import { existsSync, readdirSync, statSync } from 'node:fs';

const bundle = new URL('../dist/command/main.js', import.meta.url);
const modules = new URL('../dist/main.js', import.meta.url);
const packages = new URL('../../', import.meta.url);

export function entry() {
  return isBundleNewest() ? bundle : modules;
}

/** What is published has the bundle only. */
export function isBundleNewest() {
  if (!existsSync(modules)) return true;
  const bundledAt = modifiedAt(bundle);
  const folders = [...readdirSync(packages).map((name) => `${name}/`), '../examples/'];
  return folders.every((folder) => modifiedAt(new URL(`${folder}dist/.tsbuildinfo`, packages)) <= bundledAt);
}

/** @param {URL} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

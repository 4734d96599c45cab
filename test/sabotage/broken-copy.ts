// A copy of the workspace in which one file is changed. Only the modules between a test and that file are copied, all
// others are links: Node and Vite load the target of a link once, for any number of copies.
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { modulesBetween, packages, root } from './module-graph.ts';

export interface Broken {
  /** The folder of the copy: inside the project, so that imports resolve. */
  copy: string;
  /** The modules that will be loaded. */
  from: readonly string[];
  /** The file that differs in the copy, and its content there. */
  file: string;
  code: string;
}

/** Not linked, because they would lead to the copies or are not needed. */
const isLeftOut = (path: string) =>
  /^(?:\..*|node_modules|dist|test\/sabotage)$|\.(?:d\.ts|map|tsbuildinfo)$/.test(path);

export function makeBrokenCopy({ copy, from, file, code }: Broken): void {
  const modules = new Set([...modulesBetween(from, file)].map((path) => relative(root, path)));
  if (modules.size === 0) throw new Error(`${from.join()} does not import ${file}.`);
  const folders = new Set(['.']);
  for (const path of modules) for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  for (const folder of folders) {
    mkdirSync(join(copy, folder), { recursive: true });
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      if (modules.has(path)) copyFileSync(join(root, path), join(copy, path));
      else if (!folders.has(path) && !isLeftOut(path)) symlinkSync(join(root, path), join(copy, path));
    }
  }
  writeFileSync(join(copy, relative(root, file)), code);
  for (const [name, folder] of packages) {
    if (!folders.has(folder)) continue;
    const link = join(copy, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(copy, folder), link);
  }
}

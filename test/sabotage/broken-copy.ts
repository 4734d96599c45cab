// A copy of the workspace in which one file is another. Only the modules between a test and that file are copied, all
// else is links: Node and Vite load what a link leads to once, for any number of copies.
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { modulesBetween, packages, root } from './module-graph.ts';

export interface Broken {
  /** Where the copy will be: inside the project, so that imports resolve. */
  copy: string;
  /** The modules that are going to be loaded. */
  from: readonly string[];
  /** The file that is another in the copy, and its content there. */
  file: string;
  code: string;
}

/** In the copy they would lead to the copies, or are of no use there. */
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

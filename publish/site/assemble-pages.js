// Copies the pages of the site into one folder and adapts their links.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { commandReference } from './command-reference.js';
import { exportReference } from './export-reference.js';
import { routeReference } from './route-reference.js';

/** Documents outside docs/, and their names on the site. */
const others = new Map([
  ['README.md', 'index.md'],
  ['ARCHITECTURE.md', 'architecture.md'],
  ['SECURITY.md', 'security.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['packages/track/SPEC.md', 'tracker-spec.md'],
  ['bench/README.md', 'bench.md'],
]);

/** @param {string} folder */
export async function assemblePages(folder) {
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
    (name) => !statSync(`docs/${name}`).isDirectory(),
  );
  for (const name of names.filter((each) => each.endsWith('.md'))) writePage(folder, `docs/${name}`, name);
  for (const [path, name] of others) writePage(folder, path, name);
  // Images are part of pages; configurations are downloads.
  cpSync('docs/images', join(folder, 'images'), { recursive: true });
  for (const name of names.filter((each) => !/\.md$|^images/.test(each))) {
    cpSync(`docs/${name}`, join(folder, 'public', name), { recursive: true });
  }
  write(folder, 'reference/routes.md', await routeReference());
  write(folder, 'reference/commands.md', await commandReference());
  for (const [name, text] of exportReference()) write(folder, `reference/${name}.md`, text);
  cpSync('publish/site/config.js', join(folder, '.vitepress/config.js'));
}

/** @param {string} folder @param {string} path @param {string} name */
function writePage(folder, path, name) {
  const link = (/** @type {string} */ target) => siteLink(path, name, target);
  const text = readFileSync(path, 'utf8')
    // A link to a folder or a source file, which are not on the site, is replaced by its text.
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_whole, words, target) => {
      const found = link(target);
      return found === undefined ? words : `[${words}](${found})`;
    })
    .replaceAll(/(src|srcset)="(?!https?:)([^"]+)"/g, (_whole, attribute, target) => `${attribute}="${link(target)}"`);
  write(folder, name, text);
}

/** @param {string} from @param {string} name @param {string} target */
function siteLink(from, name, target) {
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(from), path);
  const isPage = file.startsWith('docs/') && existsSync(file) && !statSync(file).isDirectory();
  const found = others.get(file) ?? (isPage ? file.slice('docs/'.length) : undefined);
  if (found === undefined) return undefined;
  const relative = posix.relative(posix.dirname(name), found);
  return `${relative.startsWith('.') ? '' : './'}${relative}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** @param {string} folder @param {string} name @param {string} text */
function write(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

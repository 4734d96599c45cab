// A folder of files as live resources: each file is one, and the list follows the folder.
import { isUtf8 } from 'node:buffer';
import { realpathSync } from 'node:fs';
import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, posix, sep } from 'node:path';
import { LiveError, type LiveServer, type Log, content, liveServer, notFound } from '@tidings/live';
import { watchFolder } from './watch-folder.ts';

const maxBytes = 16 * 1024 * 1024;

export function createFiles(folder: string, options: { log?: Log } = {}): LiveServer {
  const root = realpathSync(folder);
  const server = liveServer({ name: 'files', version: '1.0.0', ...options });

  const file = server.resource('files:///{+path}', {
    title: 'A file',
    description: 'A file of the folder that is served.',
    read: ({ path }) => read(root, path),
    list: async function* () {
      for await (const path of pathsIn(root)) yield [{ path }, typeOf(path)];
    },
    complete: { path: (prefix) => pathsLike(root, prefix) },
    topics: () => ['folders'],
  });

  const unwatch = watchFolder(root, (event, path) => {
    // Moving a folder announces every file.
    if (event === 'change') {
      file.changed({ path });
    } else if (event === 'folder') {
      server.announce('folders');
      server.listChanged();
    } else {
      // Added or removed: announce file and list.
      file.added({ path });
    }
  });
  server.onClose(unwatch);
  return server;
}

async function read(root: string, path: string) {
  const missing = () => notFound('There is no such file.');
  const asked = join(root, sep) + path.replaceAll('/', sep);
  const real = await realpath(asked).catch(missing);
  // These differ if the path contains `..` or a link, which could lead out of the folder.
  if (real !== asked) missing();
  const stats = await stat(real).catch(missing);
  if (!stats.isFile()) missing();
  if (stats.size > maxBytes) throw new LiveError('RESPONSE_TOO_LARGE', 'Files of more than 16 MiB are not served.');
  const bytes = await readFile(real).catch(missing);
  return content(isUtf8(bytes) ? bytes.toString() : bytes, typeOf(path));
}

/** Every file, folder by folder, in a stable order. */
async function* pathsIn(root: string, folder = ''): AsyncGenerator<string> {
  // A folder may have been removed since its parent was listed.
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* pathsIn(root, path);
    else if (entry.isFile()) yield path;
  }
}

async function* pathsLike(root: string, prefix: string): AsyncGenerator<string> {
  for await (const path of pathsIn(root)) if (path.startsWith(prefix)) yield path;
}

const mimeTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

function typeOf(path: string): { mimeType: string | undefined } {
  return { mimeType: mimeTypes[extname(path).toLowerCase()] };
}

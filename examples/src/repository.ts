// A git repository as live resources: branches, the log, and the files of the current commit. Subscribers are
// notified of a commit, a checkout or a fetch by any other program.
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LiveServer, liveServer, notFound } from '@tidings/live';
import { watchFolder } from './watch-folder.ts';

const run = promisify(execFile);
const maxBuffer = 16 * 1024 * 1024;

export function createRepository(folder: string): LiveServer {
  const root = realpathSync(folder);
  const server = liveServer({ name: 'repository', version: '1.0.0' });
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', ['-C', root, ...args], { maxBuffer });
    return stdout;
  };
  const topics = () => ['refs'];

  server.resource('git://log{?limit}', {
    title: 'The latest commits',
    read: async ({ limit = '20' }) => {
      const count = /^[1-9]\d{0,3}$/.test(limit) ? limit : notFound('limit is a number from 1 to 9999.');
      return commits(await git('log', `--max-count=${count}`, `--format=${format}`));
    },
    topics,
  });

  server.resource('git://branch/{+name}', {
    title: 'The last commit of a branch',
    read: async ({ name }) => {
      const text = await git('log', '--max-count=1', `--format=${format}`, `refs/heads/${name}`, '--').catch(() => '');
      return commits(text)[0] ?? notFound('There is no such branch.');
    },
    list: async () => lines(await git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads')).map(named),
    topics,
  });

  server.resource('git://file/{+path}', {
    title: 'A file of the current commit',
    read: ({ path }) => git('show', `HEAD:${path}`).catch(() => notFound('The commit has no such file.')),
    list: async () =>
      (await git('ls-tree', '-r', '-z', '--name-only', 'HEAD'))
        .split('\0')
        .filter(Boolean)
        .map((path) => ({ path })),
    topics,
  });

  // Files in .git that every commit, checkout and fetch changes.
  const unwatch = watchFolder(join(root, '.git'), (_event, path) => {
    if (!/^(?:HEAD|packed-refs|refs\/.*)$/.test(path) || path.endsWith('.lock')) return;
    server.announce('refs');
    server.listChanged();
  });
  server.onClose(unwatch);
  return server;
}

const format = '%H%x00%an%x00%aI%x00%s';

function commits(text: string) {
  return lines(text).map((line) => {
    const [id = '', author = '', date = '', subject = ''] = line.split('\0');
    return { id, author, date, subject };
  });
}

const lines = (text: string) => text.split('\n').filter(Boolean);
const named = (name: string) => ({ name });

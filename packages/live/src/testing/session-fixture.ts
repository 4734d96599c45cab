// A server that can be changed through its own tools, so that the same cases run over every transport, in this process
// or another.
import { z } from 'zod';
import { notFound } from '../base/error.ts';
import type { LiveServerOptions } from '../live-server-options.ts';
import { type LiveServer, liveServer } from '../live-server.ts';
import type { ClientLog } from '../resource/call-context.ts';
import type { Registration } from '../definition/registry/registration.ts';

const named = z.object({ name: z.string() });

/**
 * The server that `sessionCases` need. Default: the options of any server.
 *
 * @example
 * const { url } = await serveHttp(sessionFixture());
 */
export function sessionFixture(options: Partial<LiveServerOptions> = {}): LiveServer {
  const notes = new Map<string, string>([['first', 'hello']]);
  const server = liveServer({
    name: 'session-fixture',
    version: '1.0.0',
    capabilities: { logging: {} },
    ...options,
  });

  const note = server.resource('note://{name}', {
    title: 'A note',
    read: ({ name }) => notes.get(name) ?? notFound(),
    list: () => [...notes.keys()].map((name) => ({ name })),
    complete: { name: (prefix) => [...notes.keys()].filter((name) => name.startsWith(prefix)) },
  });
  // The same notes without a coalescing window, and with a long one.
  const quick = server.resource('quick://{name}', { windowMs: 0, read: ({ name }) => notes.get(name) ?? notFound() });
  const slow = server.resource('slow://{name}', { windowMs: 1000, read: ({ name }) => notes.get(name) ?? notFound() });
  const page = server.resource('page://{name}.json{?part}', { read: ({ name }) => notes.get(name) ?? notFound() });
  server.resource('board://notes{/limit}', {
    read: ({ limit = '10' }) => [...notes.keys()].slice(0, Number(limit)),
    topics: () => ['board'],
  });
  server.resource('fault://surprise', {
    read: () => {
      throw new Error('a secret that must not leave the server');
    },
  });

  const logAll = (log: ClientLog, text: string) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) log(level, text, 'fixture');
    return text;
  };
  server.resource('log://{text}', { read: ({ text }, { log }) => logAll(log, text) });
  server.tool('log', { input: z.object({ text: z.string() }) }, ({ text }, { log }) => logAll(log, text));

  const put = (name: string, text: string) => {
    const isNew = !notes.has(name);
    notes.set(name, text);
    if (isNew) note.added({ name });
    else note.changed({ name });
    quick.changed({ name });
    slow.changed({ name });
    page.changed({ name, part: '1' });
    server.announce('board');
  };

  server.tool('put', { input: named.extend({ text: z.string() }) }, ({ name, text }) => put(name, text));
  server.tool('remove', { input: named }, ({ name }) => {
    notes.delete(name);
    note.removed({ name });
  });
  // Changes a note `count` times, once per tick, and returns how long that took.
  server.tool('count', { input: named.extend({ count: z.int() }) }, async ({ name, count }) => {
    const { clock } = server.definition;
    const start = clock.now();
    for (let n = 1; n <= count; n += 1) {
      put(name, String(n));
      await new Promise<void>((resolve) => clock.defer(resolve));
    }
    return String(clock.now() - start);
  });
  // Changes all of them once per tick. Logs when it is done, because the answer may be queued behind everything that a
  // stalled client does not read.
  server.tool('put_many', { input: z.object({ names: z.array(z.string()), rounds: z.int() }) }, async (args) => {
    const { clock, log } = server.definition;
    for (let round = 1; round <= args.rounds; round += 1) {
      for (const name of args.names) {
        notes.set(name, String(round));
        quick.changed({ name });
      }
      await new Promise<void>((resolve) => clock.defer(resolve));
    }
    log.warn({ rounds: args.rounds }, 'put_many is done');
  });
  const late = new Map<string, Registration>();
  server.tool(
    'add_tool',
    { input: named },
    ({ name }) =>
      void late.set(
        name,
        server.tool(name, {}, () => 'here'),
      ),
  );
  server.tool('remove_tool', { input: named }, ({ name }) => late.get(name)?.remove());
  server.tool('stats', {}, () => JSON.stringify(server.stats()));
  return server;
}

// A counter: one resource, and a tool that changes it. The smallest live server.
import { type LiveServer, type Log, liveServer } from '@tidings/live';
import { z } from 'zod';

export function createCounter(options: { log?: Log } = {}): LiveServer {
  let value = 0;
  const server = liveServer({ name: 'counter', version: '1.0.0', ...options });

  const counter = server.resource('counter://value', {
    title: 'The counter',
    description: 'How far it has counted since the server started.',
    read: () => ({ value }),
  });

  server.tool(
    'increment',
    {
      description: 'Counts on, by one unless told otherwise.',
      input: z.object({ by: z.int().default(1) }),
      output: z.object({ value: z.int() }),
    },
    ({ by }) => {
      value += by;
      counter.changed();
      return { value };
    },
  );
  return server;
}

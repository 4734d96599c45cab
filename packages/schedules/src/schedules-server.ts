// The schedules server: a backend, its resources and its tools.
import { type LiveServer, type Log, liveServer } from '@tidings/live';
import { version } from '@tidings/live/version';
import { addResources } from './resources.ts';
import type { ScheduleBackend } from './source/backend.ts';
import { addTools } from './tools/tools.ts';

export interface SchedulesServerOptions {
  log?: Log;
}

/** Closing the server closes the backend. */
export function schedulesServer(backend: ScheduleBackend, options: SchedulesServerOptions = {}): LiveServer {
  const { clock } = backend;
  const { log } = options;
  const server = liveServer({
    name: 'schedules',
    title: 'Scheduled notifications',
    version,
    instructions:
      'Schedules notifications. Read schedules://{topic} before changing a topic, and subscribe to it: others may change it too. What was sent and what failed is in schedules://{topic}/history.',
    feed: backend.feed,
    clock,
    ...(log && { log }),
  });
  addResources(server, backend);
  addTools(server, backend, clock);
  server.onClose(() => backend.close());
  return server;
}

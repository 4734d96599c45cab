// A session of which only the end matters.
import type { Session } from '../connection/session/session.ts';

/** `close` is called when the session is closed. Requests throw. */
export function fakeSession(close: () => void): Session {
  const unused = (): never => {
    throw new Error('No request is expected.');
  };
  return {
    get client() {
      return unused();
    },
    era: 'modern',
    transport: 'memory',
    pid: undefined,
    capabilities: {},
    delivery: 'open',
    trouble: undefined,
    heardAt: () => 0,
    silentSince: () => undefined,
    endSilentStreams: () => undefined,
    expectNotifications: () => undefined,
    checkHealth: () => undefined,
    watchTasks: unused,
    subscribe: unused,
    read: unused,
    work: unused,
    fail: () => undefined,
    close: async () => close(),
  };
}

// The heap of a waiting call of `wait_for_change`, at a hub with its three built-in servers.
import { setTimeout as pause } from 'node:timers/promises';
import { startProbedHub } from '../hub/subjects.js';
import { WaitingClients } from '../hub/waiting-calls.js';

const alreadyWaiting = 500;
const mostAtOnce = 5000;
/** Longer than the pause before the first progress notification, which turns the response into a stream. */
const untilProgressMs = 32_000;

export const waitingCalls = {
  title: ({ waitingCalls: calls }) => `heap per waiting call of wait_for_change (${calls} calls)`,
  unit: 'KB',
  columns: ['2026', '2025'],
  comparisons: [
    { of: '2026', atMost: 10 },
    { of: '2025', atMost: 10 },
  ],
  async measure({ waitingCalls: calls }) {
    const modern = measureOnce(calls, 'modern');
    // This process has the other end of every call, and the number of its open files is limited.
    if (calls > mostAtOnce) await modern;
    const legacy = measureOnce(calls, 'legacy');
    return { 2026: [await modern], 2025: [await legacy] };
  },
};

async function measureOnce(calls, era) {
  const hub = await startProbedHub();
  const waiting = new WaitingClients(hub.url, era);
  await waiting.begin();
  const { requests: before } = await hub.probe('requests');
  const arrived = async (sent) => {
    while ((await hub.probe('requests')).requests < before + sent) await pause(10);
  };
  try {
    await waiting.add(alreadyWaiting, arrived);
    await pause(untilProgressMs);
    const { bytes: few } = await hub.probe('heap');
    await waiting.add(calls, arrived);
    await pause(untilProgressMs);
    const { bytes: many } = await hub.probe('heap');
    return (many - few) / calls / 1024;
  } finally {
    waiting.close();
    await hub.stop();
  }
}

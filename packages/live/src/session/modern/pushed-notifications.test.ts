import { expect, it } from 'vitest';
import type { ListenExtension, ListenPush } from '../../definition/listen-extension.ts';
import { PushedNotifications } from './pushed-notifications.ts';

const caller = { era: 'modern', transport: 'http' } as const;
const asked = {
  notifications: { jobs: ['a'], others: 1 },
  _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions: { jobs: {} } } },
};

async function scene(extension?: ListenExtension) {
  const state = { isStopped: false, push: undefined as ListenPush | undefined };
  const honor: ListenExtension = async (given, { capabilities }, push) => {
    state.push = push;
    expect(capabilities).toEqual({ extensions: { jobs: {} } });
    return { honored: given, stop: () => void (state.isStopped = true) };
  };
  const pushed = await PushedNotifications.begin({ listens: { jobs: extension ?? honor } }, caller, 7, asked);
  const sink = {
    ready: true,
    ended: 0,
    sent: [] as unknown[],
    push: (json: string) => void sink.sent.push(JSON.parse(json)),
    end: () => void (sink.ended += 1),
  };
  const tell = (key: string, status: string) => state.push?.notify(key, { method: 'job', params: { key, status } });
  return { state, pushed: pushed ?? expect.fail(), sink, tell };
}

const frame = (key: string, status: string) => ({
  jsonrpc: '2.0',
  method: 'job',
  params: { key, status, _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
});

it('honors the parts of the filter that an extension supports', async () => {
  const { pushed } = await scene();
  expect(pushed.filter).toEqual({ jobs: ['a'] });
  expect(await PushedNotifications.begin({ listens: {} }, caller, 7, asked)).toBeUndefined();
});

it('sends nothing before the acknowledgement, then at once', async () => {
  const { pushed, sink, tell } = await scene();
  tell('a', 'begun');
  pushed.attach(sink);
  tell('a', 'done');
  expect(sink.sent).toEqual([frame('a', 'begun'), frame('a', 'done')]);
});

it('keeps the last notification of each key for a client that does not read', async () => {
  const { pushed, sink, tell } = await scene();
  pushed.attach(sink);
  sink.ready = false;
  for (const status of ['one', 'two', 'three']) for (const key of ['a', 'b']) tell(key, status);
  expect(sink.sent).toEqual([]);
  sink.ready = true;
  pushed.flush();
  expect(sink.sent).toEqual([frame('a', 'three'), frame('b', 'three')]);
});

it('ends its stream, even before it is open', async () => {
  const { state, pushed, sink } = await scene();
  state.push?.end();
  pushed.attach(sink);
  expect(sink.ended).toBe(1);
  pushed.stop();
  expect(state.isStopped).toBe(true);
});

it('stops accepted parts if another part is refused', async () => {
  let isStopped = false;
  const jobs: ListenExtension = async () => ({ honored: [], stop: () => void (isStopped = true) });
  const others: ListenExtension = () => Promise.reject(new Error('Refused.'));
  await expect(PushedNotifications.begin({ listens: { jobs, others } }, caller, 7, asked)).rejects.toThrow('Refused.');
  expect(isStopped).toBe(true);
});

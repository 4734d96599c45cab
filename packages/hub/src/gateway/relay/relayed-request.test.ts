import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { Round } from './relayed-request.ts';

it('messages reach the caller without the task id of the server', () => {
  const sent: unknown[] = [];
  const round = new Round(
    {
      caller: { era: 'modern', transport: 'http' },
      client: { capabilities: {}, info: undefined, logLevel: undefined, notify: undefined },
      log: (...message) => void sent.push(message),
      mcpReq: {
        signal: new AbortController().signal,
        _meta: { progressToken: 1 },
        requestState: () => undefined,
        notify: async ({ params }) => void sent.push(params),
      },
    },
    new FakeClock(),
  );
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'of the server' }, 'example.com/step': 2 };
  round.log({ level: 'info', data: 'loading', _meta });
  const progress = { progress: 1, _meta };
  round.progress.push(progress);
  expect(sent).toEqual([
    ['info', 'loading', undefined, { 'example.com/step': 2 }],
    { progress: 1, progressToken: 1, _meta: { 'example.com/step': 2 } },
  ]);
});

// Plain reads and lists bypass the SDK, with the same responses.
import assert from 'node:assert/strict';
import { modernOverHttp } from '../cells.ts';
import { type RawAnswer, type RpcMessage, post, rpcRequest } from '../support/wire/raw-http.ts';
import { overPipes } from '../support/wire/stdio-pipes.ts';
import type { Scenario } from './scenario.ts';
import { withHttp } from './with-http.ts';

/** Requests with results, and requests that are refused. */
const asked: readonly [method: string, params: Record<string, unknown>][] = [
  ['resources/read', { uri: 'note://first' }],
  ['resources/read', { uri: 'board://notes/1' }],
  ['resources/list', {}],
  ['resources/read', { uri: 'note://nowhere' }],
  ['resources/read', { uri: 'fault://surprise' }],
  ['resources/list', { cursor: 'no cursor' }],
];

export const directScenarios: readonly Scenario[] = [
  {
    proves: 'direct-answers-alike',
    cells: modernOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      for (const [method, params] of asked) {
        const { headers, body } = rpcRequest('modern', method, params, 7);
        const direct = await post(http.url, body, headers);
        assert.equal(direct.message.id, 7);
        assert.deepEqual(comparable(direct), comparable(await post(http.url, forSdk(body), headers)));
      }
    },
  },
  {
    proves: 'direct-answers-alike',
    cells: ['modern-stdio'],
    run: async (_cell, kit) => {
      const pipe = overPipes();
      const log = { warn: () => undefined, error: () => undefined };
      const connection = kit.live.serveStdio(kit.testing.sessionFixture({ log }), pipe.streams);
      const answerTo = async (message: { id: string | number }): Promise<RpcMessage> => {
        const before = pipe.messages.length;
        pipe.send(message);
        await kit.testing.eventually('an answer', () => pipe.messages.length > before);
        const answer = pipe.messages.at(-1);
        assert.equal(answer?.id, message.id);
        return { ...answer, id: null };
      };
      // The first request sets the era of the connection, in the SDK.
      await answerTo(rpcRequest('modern', 'resources/list', {}, 'first').body);
      for (const [method, params] of asked) {
        const direct = await answerTo(rpcRequest('modern', method, params, 'direct').body);
        const bySdk = await answerTo(forSdk(rpcRequest('modern', method, params, 'by SDK').body));
        assert.deepEqual(direct, bySdk);
      }
      await connection.close();
    },
  },
];

type Body = ReturnType<typeof rpcRequest>['body'];

/** The same request with a progress token, which only the SDK handles and which does not change the response. */
function forSdk(body: Body): Body {
  const { _meta, ...params } = Object(body.params);
  return { ...body, params: { ...params, _meta: { ..._meta, progressToken: 1 } } };
}

function comparable({ status, headers: { date: _date, ...headers }, message }: RawAnswer) {
  return { status, headers, message };
}

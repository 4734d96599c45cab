// Results and failures of every kind, of tools that need no context of the SDK.
import { ProtocolError, inputRequired } from '@modelcontextprotocol/server';
import { RpcError } from '../../../packages/live/src/definition/answer/rpc-error.ts';
import { toolResult } from '../../../packages/live/src/definition/tool/tool.ts';
import { LimitExceeded, LiveError } from '../../../packages/live/src/base/error.ts';

const text = { type: 'text' as const, text: '\u2028 "quoted" \ud83d\ude00 \ud800' };
// Members are in the order of the SDK's schemas, in which it serialises them.
const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png', _meta: { odd: [1, null] } };
const link = { name: 'a', uri: 'note://a', annotations: { priority: 0.5 }, type: 'resource_link' as const };

const answers: Record<string, () => unknown> = {
  words: () => 'done',
  nothing: () => undefined,
  data: () => ({ how: 'data', list: [1, 'two', null] }),
  blocks: () => toolResult({ content: [text, image, link] }),
  structured: () => toolResult({ content: [text], structuredContent: { how: 'structured' } }),
  'not as promised': () => toolResult({ content: [], structuredContent: { how: 7 } }),
  'empty meta': () => toolResult({ content: [], _meta: {} }),
  meta: () => toolResult({ content: [text], _meta: { 'vendor/key': { deep: true } } }),
  'other server': () =>
    toolResult({ content: [], _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'behind', version: '2' } } }),
  failed: () => toolResult({ content: [text], isError: true }),
  'failed with code': () => toolResult({ content: [], isError: true, _meta: { 'tidings/code': 'UNAVAILABLE' } }),
  'not failed': () => toolResult({ content: [text], isError: false }),
  complete: () => toolResult({ content: [text], resultType: 'complete' }),
  'odd type': () => toolResult({ content: [text], resultType: 'odd' }),
  'more members': () => toolResult({ content: [text], more: [1] }),
  'as task': () => toolResult({ content: [], resultType: 'task', taskId: '1', status: 'working' }),
  question: () =>
    inputRequired({
      inputRequests: {
        q: inputRequired.elicit({ message: 'Which?', requestedSchema: { type: 'object', properties: {} } }),
      },
    }),
  'no JSON': () => ({ how: 1n }),
  large: () => 'x'.repeat(100_000),
  bytes: () => new Uint8Array([1]),
  throw: () => {
    throw new LiveError('UNAVAILABLE', 'Not now.');
  },
  limit: () => {
    throw new LimitExceeded('Too much: try again in 3 s.', 3);
  },
  surprise: () => {
    throw new Error('a secret');
  },
  protocol: () => {
    throw new ProtocolError(-32021, 'Something is missing.', { requiredCapabilities: {} });
  },
  rpc: () => {
    throw new RpcError(7, 'Seven.', { how: 'rpc' });
  },
};

export const plainAnswers = Object.keys(answers);

export function plainAnswer(how: string): unknown {
  return answers[how]?.() ?? `It was "${how}".`;
}

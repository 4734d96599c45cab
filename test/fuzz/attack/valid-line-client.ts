// A correct stdio client after the attacks: it lists, reads, subscribes, and must be notified of a change.
import { Dice } from '../generate/dice.ts';
import { type JsonObject, isObject } from '../generate/json.ts';
import { type Era, validMessage } from '../generate/valid-messages.ts';
import type { LineTalk } from './line-talk.ts';

const uri = 'notes://today';

/** `isOpen`: the 2025-era connection is initialised already. */
export async function useLineProperly(talk: LineTalk, era: Era, isOpen = false): Promise<void> {
  const { params: common } = validMessage(era, 'tools/list', '', new Dice(0, 0));
  const ask = async (method: string, params: JsonObject) => {
    const id = `proper ${method}`;
    talk.send({ jsonrpc: '2.0', id, method, params: { ...(isObject(common) && common), ...params } });
    await talk.until(`answer to ${method}`, () => talk.hasAnswered(id));
    const failure = talk.received.find((message) => message.id === id && message.error !== undefined);
    if (failure) throw new Error(`A valid ${method} was answered with ${JSON.stringify(failure.error)}.`);
  };
  if (era === 'legacy' && !isOpen) {
    const clientInfo = { name: 'proper', version: '1.0.0' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  }
  if (era === 'legacy') await ask('resources/subscribe', { uri });
  else await ask('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
  await ask('resources/list', {});
  await ask('resources/read', { uri });
  const before = talk.received.length;
  await ask('tools/call', { name: 'set_note', arguments: { name: 'today', text: 'tea' } });
  const isUpdate = (message: LineTalk['received'][number]) => message.params?.['uri'] === uri;
  await talk.until('notification of the change', () => talk.received.slice(before).some(isUpdate));
  if (talk.isClosed) throw new Error('The connection of a proper client was closed.');
}

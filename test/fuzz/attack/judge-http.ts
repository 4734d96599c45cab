// The rules for responses to HTTP cases.
import { type HttpCase, bytesOf } from '../generate/http-case.ts';
import { judgeMessage, judgeBytes, parseJson } from './judge.ts';
import type { Answer } from './send-http.ts';

export function judgeHttp(each: HttpCase, answer: Answer): string[] {
  if (answer.ending === 'silent') return ['was neither answered nor closed'];
  const asked = bytesOf(each).toString();
  const text = answer.body.toString();
  const failures = answer.statuses.filter((status) => status >= 500).map((status) => `has status ${status}`);
  const messages = each.raw === undefined && answer.ending === 'answered' ? messagesOf(answer, text) : [];
  return [
    ...failures,
    ...judgeBytes(asked, answer.body),
    ...messages.flatMap((json) => judgeJson(asked, json)),
    ...judgeIds(each, messages),
  ];
}

function messagesOf({ contentType }: Answer, text: string): string[] {
  if (contentType.startsWith('application/json') && text !== '') return [text];
  if (contentType !== 'text/event-stream') return [];
  return [...text.matchAll(/^data: ([^\n]*)\n/gm)].map(([, data = '']) => data);
}

function judgeJson(asked: string, json: string): string[] {
  const message = parseJson(json);
  return message === undefined ? ['is not JSON'] : judgeMessage(asked, message);
}

/** A response has the id of its request, or none. */
function judgeIds({ verb, body }: HttpCase, messages: readonly string[]): string[] {
  const asked = new Set([parseJson(body.toString().replace(/^\ufeff/, ''))].flat().map(idOf));
  return messages
    .map((json) => idOf(parseJson(json)))
    .filter((id) => id !== undefined && verb === 'POST' && !asked.has(id))
    .map((id) => `answers ${JSON.stringify(id)}, which was not requested`);
}

function idOf(message: unknown): string | number | undefined {
  if (typeof message !== 'object' || message === null || !('id' in message)) return undefined;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : undefined;
}

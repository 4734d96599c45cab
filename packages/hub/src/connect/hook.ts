// `tidings hook`: prints the output of a host's hook. A hook delays the user's prompt, so any failure (no hub, a slow hub,
// an error, an unknown input) ends it soon, without output.
import { readUpTo } from '@tidings/live/internal';
import { isObject, messageOf, parsedJson } from '@tidings/live/portable';
import { type Clock, endsWithin } from '@tidings/live/time';
import { z } from 'zod';
import * as mini from 'zod/mini';
import type { HookHost } from '../hook/hook-host.ts';
import { hookBody } from '../hook/hook-body.ts';
import { isHookAnswer } from '../hook/hook-event.ts';
import { hookInputOf } from '../hook/hook-input.ts';
import { HubApiClient } from '../http/hub-api-client.ts';

/** For the input and the answer together. */
const patienceMs = 2000;
/** Hosts send the input and output of tools along. */
const mostBytes = 64 * 1024 * 1024;

const answer = mini.record(mini.string(), mini.unknown());
/** The fields that the hub uses. Others may contain prompts and files, and are not sent. */
const sentBody = z.object(hookBody.shape);

interface HookSettings {
  host: HookHost;
  hub: URL;
  token: string | undefined;
  /** As in the hook's address. */
  server: string | undefined;
  uri: string | undefined;
  /** The hook's input. */
  input: AsyncIterable<Uint8Array>;
  clock: Clock;
}

/** The output for the host, as JSON, or the reason why there is none. */
type HookOutcome = { output: string } | { reason: string };

export async function hook(settings: HookSettings): Promise<HookOutcome> {
  try {
    return await answered(settings);
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

async function answered({ host, hub, token, server, uri, input: stdin, clock }: HookSettings): Promise<HookOutcome> {
  const startedAt = clock.now();
  const reading = readUpTo(stdin, mostBytes);
  reading.catch(() => undefined);
  if (!(await endsWithin(clock, patienceMs, reading))) return { reason: 'The input on stdin did not end.' };
  const sent = await reading;
  if (sent.length > mostBytes) return { reason: `The input has more than ${mostBytes} bytes.` };
  const input = parsedJson(String(sent));
  if (!isObject(input))
    return { reason: 'The input on stdin is not a JSON object. Send what the host gives its hook.' };
  const body = sentBody.parse(input);
  const { event } = hookInputOf(body);
  const query = new URLSearchParams({ ...(server !== undefined && { server }), ...(uri !== undefined && { uri }) });
  const api = new HubApiClient(hub, token, Math.max(1, patienceMs - (clock.now() - startedAt)));
  const found = await api.ask(`/hooks/${host}?${query.toString()}`, answer, body);
  if (Object.keys(found).length === 0) return { reason: 'The hub has nothing to say.' };
  // Another program may have the hub's port, and a host would obey its decisions.
  if (!isHookAnswer(host, event, found)) return { reason: 'The answer is not that of a hub of this version.' };
  return { output: JSON.stringify(found) };
}

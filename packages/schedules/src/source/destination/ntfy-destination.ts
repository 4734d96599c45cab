// ntfy, through its JSON publish API. The access token is used in one header only, never in errors or logs.
import { LiveError } from '@tidings/live';
import { isHeaderToken } from '@tidings/live/internal';
import { parsedJson, startOf } from '@tidings/live/portable';
import { z } from 'zod';
import type { Destination, Push } from './destination.ts';
import { httpAddress } from './http-address.ts';
import { type PostOptions, post } from './http-post.ts';

export interface NtfyOptions extends PostOptions {
  /** The address of ntfy. Default: the public service. */
  url?: string | undefined;
  token?: string | undefined;
}

export const publicNtfy = 'https://ntfy.sh';

export function ntfyDestination(options: NtfyOptions = {}): Destination {
  const { token } = options;
  const url = httpAddress('The address of ntfy', options.url ?? publicNtfy, publicNtfy);
  const headers = { 'content-type': 'application/json', ...(token !== undefined && authorization(token)) };
  return {
    kind: 'ntfy',
    words: `ntfy at ${url.href.replace(/\/$/, '')}`,
    send: (push) => post({ url, headers, body: bodyOf(push), receiver: url.host, adviceFor, explanationIn }, options),
  };
}

function bodyOf(push: Push): string {
  const { topic, message, title, priority, tags, markdown, click, icon, attach, filename, actions } = push;
  return JSON.stringify({ topic, message, title, priority, tags, markdown, click, icon, attach, filename, actions });
}

function authorization(token: string): { authorization: string } {
  if (!isHeaderToken(token)) {
    throw new LiveError('INVALID_PARAMS', 'The access token of ntfy may hold only visible ASCII characters.');
  }
  return { authorization: `Bearer ${token}` };
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'check the access token and who may write to this topic';
  if (status === 404 || status === 405) return 'check the address, ntfy is not there';
  if (status >= 300 && status < 400) return 'it has moved, correct the address';
  if (status === 429) return 'too many notifications, send fewer or wait';
  return '';
}

const explanationSchema = z.object({ error: z.string() });

/** The reason in the response, if ntfy sent it. */
function explanationIn(answer: string): string {
  return startOf(explanationSchema.safeParse(parsedJson(answer)).data?.error ?? '', 200);
}

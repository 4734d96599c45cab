// An incoming webhook of Slack, or of a compatible chat (Mattermost, Rocket.Chat, Discord's /slack). Its address is its
// secret.
import { type Destination, type Push, repeatTag } from './destination.ts';
import { httpAddress } from './http-address.ts';
import { type PostOptions, post } from './http-post.ts';

interface SlackOptions extends PostOptions {
  url: string;
}

const headers = { 'content-type': 'application/json' };
const example = 'https://hooks.slack.com/services/T000/B000/XXXX';

export function slackDestination(options: SlackOptions): Destination {
  const url = httpAddress('The address of a chat', options.url, example);
  return {
    kind: 'slack',
    words: `chat at ${url.host}`,
    send: (push) => post({ url, headers, body: bodyOf(push), receiver: url.host, adviceFor }, options),
  };
}

function bodyOf({ topic, title, message, tags, click, markdown }: Push): string {
  const again = tags?.includes(repeatTag) ? ' (again)' : '';
  const lines = [`${escaped(title ?? topic)}${again}`, escaped(message), ...(click ? [escaped(click)] : [])];
  return JSON.stringify({ text: lines.join('\n'), mrkdwn: markdown === true });
}

/** Angle brackets would create links and mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function adviceFor(status: number): string {
  if (status === 400) return 'the chat does not take this text';
  if (status === 401 || status === 403 || status === 404 || status === 410) {
    return 'check the address, which may have been withdrawn';
  }
  if (status >= 300 && status < 400) return 'it has moved, correct the address';
  if (status === 429) return 'too many notifications, send fewer or wait';
  return '';
}

// Reads a resource, suggests similar URIs where there is none, and converts contents for stdout.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { visibleText } from '@tidings/live/portable';
import type { ServerSession } from '@tidings/track/session';
import { indentedIfJson } from '../base/indented-json.ts';
import { listOf } from './list.ts';
import { RequestFailure, requestFailure } from './request-failure.ts';
import { byteCount } from '@tidings/client/contract';
import type { Screen } from '../terminal/screen.ts';
import { closest } from './closest.ts';
import { Failure } from '../terminal/failure.ts';

export async function readResource(session: ServerSession, uri: string): Promise<ReadResourceResult> {
  try {
    return await session.client.readResource({ uri }, { cacheMode: 'bypass' });
  } catch (error) {
    const failure = requestFailure(error);
    if (!(failure instanceof RequestFailure)) throw failure;
    if (!['RESOURCE_NOT_FOUND', 'INVALID_URI', '-32602', '-32002'].includes(failure.code)) throw failure;
    throw new Failure(`${failure.message}\n${await advice(session, uri)}`);
  }
}

async function advice(session: ServerSession, uri: string): Promise<string> {
  // Where the list cannot be read either, the first error is the one to show.
  const listed = await listOf(session, 'resources').then(
    ({ items }) => items.map((each) => each.uri),
    () => [],
  );
  const similar = closest(uri, listed);
  if (similar.length === 0) return '"tidings list" shows all resources, "tidings list --templates" the templates.';
  return `Did you mean ${similar.length === 1 ? '' : 'one of '}${similar.join(', ')}?`;
}

/** Text is unchanged on a pipe, and without control characters on a terminal; several texts are separated by line ends. */
export function toStdout({ contents }: ReadResourceResult, screen: Screen): (string | Uint8Array)[] {
  return contents.map((content, index) => {
    if ('text' in content) {
      const text = screen.isTerminal ? visibleText(readable(content.text, content.mimeType)) : content.text;
      const isLast = index === contents.length - 1;
      const needsBreak = !text.endsWith('\n') && (screen.isTerminal || !isLast);
      return needsBreak ? `${text}\n` : text;
    }
    const bytes = Buffer.from(content.blob, 'base64');
    if (!screen.isTerminal) return bytes;
    throw new Failure(
      `This is ${byteCount(bytes.length)} of ${content.mimeType ?? 'binary data'}, which a terminal cannot show. Write it to a file: add > file`,
    );
  });
}

function readable(text: string, mimeType: string | undefined): string {
  return /[/+]json\b/.test(mimeType ?? '') ? indentedIfJson(text) : text;
}

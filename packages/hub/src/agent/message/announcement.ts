// The messages for an agent: a line for each resource, followed by its content or difference if the session asked for
// that; or one line for many. Lines are fixed sentences of the hub; contents come from servers and are separate messages.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { type Batch, type News, type Update, newsKey, newsMessage, summaryMessage } from '@tidings/client/tell';
import { startOf } from '@tidings/live/portable';
import { createTwoFilesPatch } from 'diff';
import { indentedJson } from '../../base/indented-json.ts';
import type { AgentMessage } from '../port/agent-port.ts';
import { inTime } from '../in-time.ts';
import { LastContents } from './last-contents.ts';
import { type Untrusted, untrustedContent } from './untrusted-content.ts';

export type AnnounceStyle = 'line' | 'snapshot' | 'diff';

export interface AnnouncementOptions {
  style: AnnounceStyle;
  clock: Pick<Clock, 'after'>;
  read(this: void, serverId: string, uri: string): Promise<ReadResourceResult>;
}

interface Announcement {
  message: AgentMessage;
  /** How many updates of the batch are delivered with this message. */
  completed: number;
}

/** Longer contents are cut: they would fill the model's context. */
const longestContent = 4000;
/** Comparing larger texts, or texts that differ in more lines, would delay other sessions. */
const longestCompared = 200_000;
const maxEditLength = 500;
const readsAtOnce = 8;
/** How long a resource that cannot be read may delay the others. */
const readMs = 1000;

export class Announcements {
  readonly #options: AnnouncementOptions;
  readonly #last = new LastContents();

  constructor(options: AnnouncementOptions) {
    this.#options = options;
  }

  /** Messages about these were refused: their full content is sent the next time. */
  forget(news: readonly News[]): void {
    for (const each of news) if (each.type !== 'gap') this.#last.forget(newsKey(each));
  }

  /** Contents are read one after the other, as they are sent: a large batch is never in memory as a whole. */
  async *of({ news, isSummary }: Batch): AsyncGenerator<Announcement, void> {
    if (isSummary) {
      yield { message: notice(summaryMessage(news)), completed: news.length };
      return;
    }
    for (let completed = 0; completed < news.length;) {
      const part = news.slice(completed, completed + readsAtOnce);
      for (const messages of await Promise.all(part.map((each) => this.#messages(each)))) {
        // An update is delivered with the last of its messages.
        for (const message of messages.slice(0, -1)) yield { message, completed };
        completed += 1;
        for (const message of messages.slice(-1)) yield { message, completed };
      }
    }
  }

  async #messages(news: News): Promise<AgentMessage[]> {
    const line = newsMessage(news);
    if (this.#options.style === 'line' || news.type === 'gap') return [notice(line)];
    try {
      const { read, clock } = this.#options;
      const { contents } = await inTime(readMs, read(news.serverId, news.resourceUri), clock);
      const detail = this.#detail(news, textOf(contents));
      if (detail === undefined) return [notice(line), notice('Its content is what it was.')];
      return [notice(line), { kind: 'content', text: untrustedContent({ ...news, ...detail }) }];
    } catch {
      // The line is correct even if the content cannot be read.
      return [notice(line), notice('It cannot be read just now.')];
    }
  }

  /** Undefined if the content is unchanged. */
  #detail(update: Update, text: string): Pick<Untrusted, 'part' | 'text'> | undefined {
    if (this.#options.style === 'snapshot') return { part: 'content', text: cut(text) };
    const before = this.#last.replace(newsKey(update), text);
    if (before === text) return undefined;
    const changed = before === undefined ? undefined : shortPatch(before, text);
    return changed === undefined ? { part: 'content', text: cut(text) } : { part: 'difference', text: cut(changed) };
  }
}

function notice(text: string): AgentMessage {
  return { kind: 'notice', text };
}

/** A number with this many digits may change when it is parsed and serialised again. */
const longNumber = /(?:^|[:,[])\s*-?\d{16,}/;

/** JSON with a line for each field, so that a difference shows just those. */
function textOf(contents: ReadResourceResult['contents']): string {
  return contents
    .map((content) => {
      if ('text' in content) return readable(content.text);
      return `(${content.mimeType ?? 'binary'}, ${Buffer.byteLength(content.blob, 'base64')} bytes)`;
    })
    .join('\n');
}

function readable(text: string): string {
  if (text.length > longestCompared || longNumber.test(text)) return text;
  try {
    return indentedJson(JSON.parse(text), 1);
  } catch {
    return text;
  }
}

/** Undefined if comparing would take too long. */
function shortPatch(before: string, after: string): string | undefined {
  if (before.length + after.length > longestCompared) return undefined;
  const options = { context: 1, maxEditLength };
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, options);
  // A missing line end after the last line is not a difference.
  return patch
    ?.split('\n')
    .slice(4)
    .filter((line) => !line.startsWith('\\'))
    .join('\n')
    .trimEnd();
}

function cut(text: string): string {
  if (text.length <= longestContent) return text;
  const start = startOf(text, longestContent);
  return `${start}\n(… ${text.length - start.length} more characters)`;
}

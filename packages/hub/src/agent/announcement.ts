// What an agent is told: a line for each resource, followed by its content or what changed in it, if that was
// asked for; or one line for many. The lines are ours; a content is its server's, and a message of its own.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { type Batch, type News, type Update, keyOf, newsMessage, summaryMessage } from '@tidings/track';
import { createTwoFilesPatch } from 'diff';
import type { AgentMessage } from './agent-port.ts';
import { inTime } from './in-time.ts';
import { LastContents } from './last-contents.ts';
import { type Untrusted, untrustedContent } from './untrusted-content.ts';

export type AnnounceStyle = 'line' | 'snapshot' | 'diff';

export interface AnnouncementOptions {
  style: AnnounceStyle;
  clock: Pick<Clock, 'after'>;
  read(this: void, serverId: string, uri: string): Promise<ReadResourceResult>;
}

export interface Announcement {
  message: AgentMessage;
  /** How many of the batch are told with this one. */
  told: number;
}

/** A model's attention is dear: no content is longer than this. */
const longestContent = 4000;
/** Comparing larger texts, or for longer, would hold up everybody else. */
const longestCompared = 200_000;
const comparingMs = 100;
const readsAtOnce = 8;
/** One that cannot be read holds up the others no longer than this. */
const readMs = 1000;

export class Announcements {
  readonly #options: AnnouncementOptions;
  readonly #last = new LastContents();

  constructor(options: AnnouncementOptions) {
    this.#options = options;
  }

  /** What was told of these was refused: they are told whole the next time. */
  forget(news: readonly News[]): void {
    for (const each of news) if (each.type !== 'gap') this.#last.forget(keyOf(each));
  }

  /** One after the other, read as they are told: a large batch is never in memory with all its contents. */
  async *of({ news, isSummary }: Batch): AsyncGenerator<Announcement, void> {
    if (isSummary) {
      yield { message: notice(summaryMessage(news)), told: news.length };
      return;
    }
    for (let told = 0; told < news.length;) {
      const part = news.slice(told, told + readsAtOnce);
      for (const messages of await Promise.all(part.map((each) => this.#messages(each)))) {
        // It is told when the last of its messages is.
        for (const message of messages.slice(0, -1)) yield { message, told };
        told += 1;
        for (const message of messages.slice(-1)) yield { message, told };
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
      // That it changed is true also where it cannot be read.
      return [notice(line), notice('It cannot be read just now.')];
    }
  }

  /** Nothing where it is what it was. */
  #detail(update: Update, text: string): Pick<Untrusted, 'part' | 'text'> | undefined {
    if (this.#options.style === 'snapshot') return { part: 'content', text: cut(text) };
    const before = this.#last.replace(keyOf(update), text);
    if (before === text) return undefined;
    const changed = before === undefined ? undefined : difference(before, text);
    return changed === undefined ? { part: 'content', text: cut(text) } : { part: 'difference', text: cut(changed) };
  }
}

function notice(text: string): AgentMessage {
  return { kind: 'notice', text };
}

/** Parsed and written again, a whole number of so many digits may be another one. */
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
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

/** Nothing where that would take too long. */
function difference(before: string, after: string): string | undefined {
  if (before.length + after.length > longestCompared) return undefined;
  const options = { context: 1, timeout: comparingMs };
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, options);
  // That the last line has no end is nobody's concern.
  return patch
    ?.split('\n')
    .slice(4)
    .filter((line) => !line.startsWith('\\'))
    .join('\n')
    .trimEnd();
}

function cut(text: string): string {
  if (text.length <= longestContent) return text;
  // Not in the middle of a character, which not every receiver forgives.
  const start = text.slice(0, longestContent).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}\n(… ${text.length - start.length} more characters)`;
}

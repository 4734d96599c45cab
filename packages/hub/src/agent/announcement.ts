// What an agent is told: a line for each resource, with its content or what changed in it, if that was asked
// for; or one line for many.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { updateMessage } from '@tidings/track';
import { createTwoFilesPatch } from 'diff';
import type { Batch, Update } from './pacing.ts';

export type AnnounceStyle = 'line' | 'snapshot' | 'diff';

export interface AnnouncementOptions {
  style: AnnounceStyle;
  read(this: void, serverId: string, uri: string): Promise<ReadResourceResult>;
}

/** A model's attention is dear: no content is longer than this. */
const longestContent = 4000;
/** How many contents are remembered, to tell what changed. */
const mostRemembered = 500;

export class Announcements {
  readonly #options: AnnouncementOptions;
  /** What was told last, by server and URI; the least recently told first. */
  readonly #last = new Map<string, string>();

  constructor(options: AnnouncementOptions) {
    this.#options = options;
  }

  async messages({ updates, isSummary }: Batch): Promise<string[]> {
    if (isSummary) return [summaryOf(updates)];
    return Promise.all(updates.map((update) => this.#message(update)));
  }

  async #message(update: Update): Promise<string> {
    const line = updateMessage(update);
    if (this.#options.style === 'line') return line;
    try {
      return `${line}\n${this.#detail(update, textOf(await this.#read(update)))}`;
    } catch {
      // That it changed is true also where it cannot be read.
      return `${line}\n(it cannot be read just now)`;
    }
  }

  #read({ serverId, resourceUri }: Update): Promise<ReadResourceResult> {
    return this.#options.read(serverId, resourceUri);
  }

  #detail({ serverId, resourceUri }: Update, text: string): string {
    if (this.#options.style === 'snapshot') return cut(text);
    const key = `${serverId} ${resourceUri}`;
    const before = this.#last.get(key);
    this.#remember(key, text);
    return cut(before === undefined ? text : difference(before, text));
  }

  #remember(key: string, text: string): void {
    this.#last.delete(key);
    this.#last.set(key, text);
    const [oldest] = this.#last.keys();
    if (this.#last.size > mostRemembered && oldest !== undefined) this.#last.delete(oldest);
  }
}

function summaryOf(updates: readonly Update[]): string {
  const parts = [...byServer(updates)].map(([id, uris]) => `${uris.join(', ')} for MCP server ${id}`);
  return `Resources updated, the last at ${updates.at(-1)?.timestamp ?? ''}: ${parts.join('; ')}`;
}

function byServer(updates: readonly Update[]): Map<string, string[]> {
  const uris = new Map<string, string[]>();
  for (const { serverId, resourceUri } of updates) {
    uris.set(serverId, [...(uris.get(serverId) ?? []), resourceUri]);
  }
  return uris;
}

/** JSON with a line for each field, so that a difference shows just those. */
function textOf({ contents }: ReadResourceResult): string {
  return contents
    .map((content) => {
      if ('blob' in content) {
        return `(${content.mimeType ?? 'binary'}, ${Math.floor((content.blob.length * 3) / 4)} bytes)`;
      }
      return readable(content.text);
    })
    .join('\n');
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

function difference(before: string, after: string): string {
  if (before === after) return '(its content is what it was)';
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 1 });
  const lines = patch.split('\n').slice(4);
  // That the last line has no end is nobody's concern.
  return lines
    .filter((line) => !line.startsWith('\\'))
    .join('\n')
    .trimEnd();
}

function cut(text: string): string {
  return text.length <= longestContent
    ? text
    : `${text.slice(0, longestContent)}\n(… ${text.length - longestContent} more characters)`;
}

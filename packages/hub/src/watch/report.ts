// Formats the events of a watch, and the versions of a resource, as lines for people.
import { byteCount } from '@tidings/client/contract';
import { counted } from '@tidings/live/portable';
import { cut, printable } from '../terminal/fit.ts';
import type { Screen, Style } from '../terminal/screen.ts';
import type { Difference } from './difference.ts';
import type { WatchEvent } from './event.ts';
import type { ComparedVersion } from './history.ts';
import type { JsonChange } from '@tidings/client/json-changes';

const maxLines = 8;
const maxValueLength = 60;
const indent = ' '.repeat(10);

type Line = readonly [style: Style | undefined, text: string];

export function linesFor(event: WatchEvent, screen: Screen): string[] {
  const [style, headline, details] = parts(event);
  const time = new Date(event.time).toTimeString().slice(0, 8);
  return block(time, style, headline, details, screen);
}

/** The versions of a resource, each with what changed. */
export function historyLines(entries: readonly ComparedVersion[], screen: Screen): string[] {
  return entries.flatMap(({ version, readAt, bytes: size, change }) => {
    const time = new Date(readAt).toTimeString().slice(0, 8);
    const found = change === undefined ? [] : details(change);
    return block(time, 'cyan', `version ${version}, ${byteCount(size)}`, found, screen);
  });
}

function block(
  time: string,
  style: Style | undefined,
  headline: string,
  details: readonly Line[],
  screen: Screen,
): string[] {
  const room = screen.columns - indent.length;
  const shown = details.length > maxLines ? details.slice(0, maxLines - 1) : details;
  const more = details.length - shown.length;
  const lines: Line[] = more > 0 ? [...shown, ['dim', `… and ${more} more`]] : [...shown];
  const paint = (style: Style | undefined, text: string) => {
    const fitting = cut(printable(text), room);
    return style ? screen.style(style, fitting) : fitting;
  };
  return [
    `${screen.style('dim', time)}  ${paint(style, headline)}`,
    ...lines.map(([style, text]) => `${indent}${paint(style, text)}`),
  ];
}

function parts(event: WatchEvent): [Style | undefined, string, Line[]] {
  switch (event.type) {
    case 'watching':
      return [
        'bold',
        `watching ${resources(event.uris.length)} of ${event.source}`,
        event.uris.length === 0 ? [['dim', 'no resource to follow yet']] : event.uris.map((uri) => ['dim', uri]),
      ];
    case 'back':
      return ['green', `back: watching ${resources(event.uris.length)} of ${event.source}`, []];
    case 'lost':
      return ['yellow', 'lost: trying again until it is back', [['dim', event.reason]]];
    case 'problem':
      return [
        'yellow',
        `${event.uri}: ${event.problem === 'unreadable' ? 'cannot be read now' : 'changes are not announced'}`,
        [['dim', event.reason]],
      ];
    case 'list_changed':
      return ['cyan', `list${away(event)}`, [...added(event.added), ...removed(event.removed)]];
    default:
      return ['cyan', `${event.uri}${away(event)}`, details(event.change)];
  }
}

function resources(count: number): string {
  return count === 0 ? 'the list' : counted(count, 'resource');
}

function away({ whileAway }: { whileAway?: true }): string {
  return whileAway ? ' (while away)' : '';
}

function added(uris: readonly string[]): Line[] {
  return uris.map((uri) => ['green', `+ ${uri}`]);
}

function removed(uris: readonly string[]): Line[] {
  return uris.map((uri) => ['red', `- ${uri}`]);
}

function details(change: Difference): Line[] {
  switch (change.kind) {
    case 'none':
      return [['dim', 'announced, with nothing changed']];
    case 'json':
      return change.changes.map(pathLine);
    case 'text':
      return change.lines.map((line) => [line.startsWith('+') ? 'green' : 'red', `${line.charAt(0)} ${line.slice(1)}`]);
    case 'bytes':
      return [[undefined, `${bytes(change.before)} → ${bytes(change.after)}`]];
    case 'replaced':
      return [[undefined, 'replaced as a whole']];
    case 'appeared':
      return [['green', 'can be read now']];
    default:
      return [['red', `cannot be read any more: ${change.reason}`]];
  }
}

function bytes({ bytes, sha256 }: { bytes: number; sha256: string }): string {
  return `${byteCount(bytes)} (sha256 ${sha256.slice(0, 8)})`;
}

function pathLine({ path, op, before, after }: JsonChange): Line {
  const name = path === '' ? 'all of it' : path;
  switch (op) {
    case 'added':
      return ['green', `+ ${name}: ${short(after)}`];
    case 'removed':
      return ['red', `- ${name}: ${short(before)}`];
    default:
      return [undefined, `${name}: ${short(before)} → ${short(after)}`];
  }
}

function short(value: unknown): string {
  return cut(JSON.stringify(value), maxValueLength);
}

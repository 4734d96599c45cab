// A line of the log for a person at a terminal: `10:32:42 warn  notes: The server is away. It ended with code 1.`
import { isObject, parsedJson, visibleText } from '@tidings/live/portable';
import { pino } from 'pino';

/** Fields that have a position of their own in the line, or do not help the user who started the process. */
const placed = new Set(['level', 'time', 'pid', 'hostname', 'node', 'msg', 'server', 'detail', 'err']);

export function logLine(json: string): string {
  const fields = parsed(json);
  if (fields === undefined) return visibleText(json);
  const { level, time, msg, server, detail, err } = fields;
  const moment = new Date(Number(time)).toTimeString().slice(0, 8);
  const name = pino.levels.labels[Number(level)] ?? String(level);
  const rest = Object.entries(fields).filter(([key]) => !placed.has(key));
  const words = [
    server === undefined ? '' : `${text(server)}:`,
    text(msg),
    text(detail),
    text(err),
    ...rest.map(([key, value]) => `${key}=${text(value)}`),
  ];
  const line = words.filter((word) => word !== '').join(' ');
  return `${visibleText(`${moment} ${name.padEnd(5)} ${line.replaceAll(/\s*\n\s*/g, ' ')}`)}\n`;
}

function parsed(json: string): Record<string, unknown> | undefined {
  const value = parsedJson(json);
  return isObject(value) ? { ...value } : undefined;
}

function text(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const message = isObject(value) ? value['message'] : undefined;
  return typeof message === 'string' ? message : JSON.stringify(value);
}

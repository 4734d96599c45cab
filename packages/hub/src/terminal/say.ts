// Lines for people, on stdout and stderr. Names, paths and messages in them come from servers, files and clients, so
// nothing in them may steer the terminal. What is already safe, styled or for programs goes through print().
import { visibleJson, visibleText } from '@tidings/live/visible-text';

export function say(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`${visibleText(text)}\n`);
}

/** One document on a line, or indented for people to read. */
export function jsonText(value: unknown, indent?: number): string {
  return visibleJson(JSON.stringify(value, null, indent));
}

export function sayJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

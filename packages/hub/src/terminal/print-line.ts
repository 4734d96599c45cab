// Prints lines for people to stdout and stderr. They contain names, paths and messages of servers, files and clients,
// so control characters are made visible. Text that is safe already, styled, or for programs goes through print().
import { indentedJson } from '../base/indented-json.ts';
import { visibleJson, visibleText } from '@tidings/live/portable';

export function printLine(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${visibleText(text)}\n`);
}

/** JSON on one line, or indented; control characters are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return visibleJson(indent === undefined ? JSON.stringify(value) : indentedJson(value, indent));
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

// What is wrong with a text that is not JSON, and where. Messages have no part of the text: it may contain a secret.
import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** `ValueExpected` is "value expected". */
export function syntaxErrorText(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

export function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

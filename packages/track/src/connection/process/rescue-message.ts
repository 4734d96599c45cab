// Finds the message at the end of a line on stdout that starts with other text: the server wrote text without a line
// break before it. A line without a readable message may have been one if it looks like part of one.
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { parsedJson } from '@tidings/live/portable';
import { isWithinShape } from '../bounds/json-shape.ts';

/** Each attempt parses the rest of the line once. */
const maxAttempts = 8;
const beginning = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;

export function rescueMessage(line: string): JSONRPCMessage | undefined {
  let attempts = 0;
  for (const { index } of line.matchAll(beginning)) {
    if (attempts >= maxAttempts) return undefined;
    attempts += 1;
    const message = messageIn(line.slice(index));
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Text without a brace is a log line, as is complete JSON that is not a message. */
export function mayHaveBeenMessage(line: string): boolean {
  return /[{}]/.test(line) && parsedJson(line) === undefined;
}

function messageIn(text: string): JSONRPCMessage | undefined {
  // The text before the message may have hidden its shape when the whole line was checked.
  if (!isWithinShape(Buffer.from(text))) return undefined;
  try {
    return parseJSONRPCMessage(JSON.parse(text));
  } catch {
    return undefined;
  }
}

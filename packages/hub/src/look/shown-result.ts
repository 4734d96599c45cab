// The result of a tool or a prompt as text for a terminal or a pipe.
import type { CallToolResult, ContentBlock, GetPromptResult } from '@modelcontextprotocol/client';
import { visibleText } from '@tidings/live/portable';
import { indentedIfJson, indentedJson } from '../base/indented-json.ts';
import { byteCount } from '@tidings/client/contract';
import type { Screen } from '../terminal/screen.ts';

export function shownResult({ content, structuredContent }: CallToolResult, screen: Screen): string {
  // Servers repeat structured content as text; without text, the structured content is shown.
  const blocks = content.map((block) => shownBlock(block, screen));
  const parts = blocks.length > 0 || structuredContent === undefined ? blocks : [indentedJson(structuredContent, 2)];
  return asText(parts, screen);
}

export function shownPrompt({ description, messages }: GetPromptResult, screen: Screen): string {
  const parts = messages.map(
    ({ role, content }) => `${screen.style('bold', `${role}:`)} ${clean(shownBlock(content, screen), screen)}`,
  );
  return `${[...(description === undefined ? [] : [clean(description, screen)]), ...parts].join('\n\n')}\n`;
}

function asText(parts: readonly string[], screen: Screen): string {
  const text = clean(parts.join('\n'), screen);
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A terminal must not interpret what a server sends. */
function clean(text: string, { isTerminal }: Screen): string {
  return isTerminal ? visibleText(text) : text;
}

/** On a terminal, JSON is indented as `tidings read` does it. */
function shownBlock(block: ContentBlock, { isTerminal }: Screen): string {
  const shown = (text: string) => (isTerminal ? indentedIfJson(text) : text);
  switch (block.type) {
    case 'text':
      return shown(block.text);
    case 'resource_link':
      return block.title === undefined ? block.uri : `${block.uri} (${block.title})`;
    case 'resource':
      return 'text' in block.resource
        ? shown(block.resource.text)
        : binary(block.resource.blob, block.resource.mimeType, `${block.resource.uri}: `);
    default:
      return binary(block.data, block.mimeType);
  }
}

function binary(base64: string, mimeType = 'binary data', name = ''): string {
  return `[${name}${byteCount(Buffer.from(base64, 'base64').length)} of ${mimeType}: --json has it as base64]`;
}

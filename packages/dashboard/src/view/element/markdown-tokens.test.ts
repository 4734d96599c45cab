import { lexer } from 'marked';
import { expect, it } from 'vitest';
import { longestMarkdown, markdownTokens } from './markdown-tokens.ts';

it('is parsed as usual', () => {
  const text = `# Title\n\nSome *text* with [a link](https://example.com) and \`code\`.\n\n> - one\n> - two\n>   1. three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n`;
  expect([...markdownTokens(text)]).toEqual([...lexer(text)]);
});

const repeated = (text: string) => text.repeat(Math.floor(longestMarkdown / text.length));
const stairs = Array.from({ length: 600 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');

it.each([
  ['quotes within quotes', repeated('>')],
  ['lists within lists', repeated('- ')],
  ['numbered lists within quotes', repeated('> 1. ')],
  ['lists like stairs', stairs.slice(0, longestMarkdown)],
  ['marks without an end', repeated('_a')],
  ['marks within marks', `${'*'.repeat(longestMarkdown / 2)}a${'*'.repeat(longestMarkdown / 2)}`],
  ['brackets', repeated('[')],
  ['marks in many paragraphs', repeated(`${'_a'.repeat(1400)}\n\n`)],
])('%s come to an end, and none of them is lost', (_, text) => {
  expect(
    markdownTokens(text)
      .map(({ raw }) => raw)
      .join(''),
  ).toBe(text);
});

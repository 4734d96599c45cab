// Markdown of a server, parsed within bounds. The parser compares the marks of a paragraph with each other and descends
// into every quote within a quote: a hostile text of some kilobytes could keep it busy for minutes, or exhaust the stack.
import { Lexer, type Token, type TokensList } from 'marked';

/** Longer texts are shown unformatted. */
export const longestMarkdown = 200_000;
/** Longer paragraphs, and blocks inside so many others, are shown unformatted. */
const longestParagraph = 3000;
const mostLevels = 16;

export function markdownTokens(text: string): Token[] {
  return new BoundedLexer().lex(text);
}

class BoundedLexer extends Lexer {
  #level = 0;

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.#level >= mostLevels) return withText(tokens, src);
    this.#level += 1;
    try {
      return super.blockTokens(src, tokens, isClipped);
    } finally {
      this.#level -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    return src.length > longestParagraph ? withText(tokens, src) : super.inlineTokens(src, tokens);
  }
}

/** Adds to the given list, since the parser expects its result there. */
function withText(tokens: Token[], text: string): Token[] {
  tokens.push({ type: 'text', raw: text, text });
  return tokens;
}

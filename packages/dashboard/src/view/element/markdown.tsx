// Markdown of a server as elements of this page. It is parsed to tokens, and only the kinds in this file become
// elements: HTML stays text, no script runs, no image is loaded, and links leave the page.
import type { Token, Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { markdownTokens } from './markdown-tokens.ts';

export function Markdown({ text }: { text: string }): JSX.Element {
  const tokens = useMemo(() => markdownTokens(text), [text]);
  return <div class="markdown">{tokens.map(block)}</div>;
}

function block(token: Token, key: number): ComponentChildren {
  if (isList(token)) return list(token, key);
  if (isTable(token)) return table(token, key);
  switch (token.type) {
    case 'heading': {
      // The page itself uses the first two levels of headings.
      const Heading = headings[Math.min(token['depth'], 4) - 1] ?? 'h6';
      return <Heading key={key}>{inline(token)}</Heading>;
    }
    case 'paragraph':
      return <p key={key}>{inline(token)}</p>;
    case 'code':
      return <pre key={key}>{token['text']}</pre>;
    case 'blockquote':
      return <blockquote key={key}>{blocks(token)}</blockquote>;
    case 'hr':
      return <hr key={key} />;
    case 'space':
    case 'def':
      return null;
    default:
      return inlineToken(token, key);
  }
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

function blocks({ tokens = [] }: { tokens?: Token[] | undefined }): ComponentChildren {
  return tokens.map(block);
}

function list({ ordered, start, items }: Tokens.List, key: number): JSX.Element {
  const rows = items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label="Done" />} {blocks(item)}
    </li>
  ));
  return ordered ? (
    <ol key={key} start={start === '' ? 1 : start}>
      {rows}
    </ol>
  ) : (
    <ul key={key}>{rows}</ul>
  );
}

function table({ header, rows }: Tokens.Table, key: number): JSX.Element {
  return (
    <table key={key}>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index}>{inline(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline({ tokens = [] }: { tokens?: Token[] | undefined }): ComponentChildren {
  return tokens.map(inlineToken);
}

function inlineToken(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{inline(token)}</strong>;
    case 'em':
      return <em key={key}>{inline(token)}</em>;
    case 'del':
      return <del key={key}>{inline(token)}</del>;
    case 'codespan':
      return <code key={key}>{token['text']}</code>;
    case 'br':
      return <br key={key} />;
    case 'link':
      return link(String(token['href']), inline(token), key);
    case 'image':
      return link(String(token['href']), `Picture: ${String(token['text'])}`, key);
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token) : token['text'];
    case 'escape':
      return token['text'];
    default:
      return token.raw;
  }
}

/** Only addresses of the web and of mail are links. */
function link(href: string, content: ComponentChildren, key: number): ComponentChildren {
  if (!/^(https?|mailto):/i.test(href)) return <span key={key}>{content}</span>;
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  );
}

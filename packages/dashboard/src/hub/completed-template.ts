// The variable of a URI template in which an incomplete URI ends: servers are asked for suggestions for it.
import { templateTokens } from '@tidings/client/contract';

interface Begun {
  variable: string;
  /** The text typed so far. */
  value: string;
  /** The text before it. */
  before: string;
}

/** Undefined if the template does not match the beginning of the URI. */
export function completedTemplate(template: string, uri: string): Begun | undefined {
  const tokens = templateTokens(template) ?? [];
  let before = '';
  for (const [index, token] of tokens.entries()) {
    if ('literal' in token) {
      if (!uri.startsWith(token.literal, before.length)) return undefined;
      before += token.literal;
      continue;
    }
    const { operator, names } = token;
    const [variable, ...others] = names;
    if (variable === undefined || others.length > 0 || (operator !== '' && operator !== '+')) return undefined;
    const next = tokens[index + 1];
    const end = next && 'literal' in next ? uri.indexOf(next.literal, before.length) : -1;
    const value = end === -1 ? uri.slice(before.length) : uri.slice(before.length, end);
    if (end === -1) return /[/?#]/.test(value) ? undefined : { variable, value, before };
    before += value;
  }
  return undefined;
}

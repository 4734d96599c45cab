// The variable of a URI template in which an incomplete URI ends. Suggestions are requested for this variable.
import { templateTokens } from '@tidings/client/contract';

interface CompletedVariable {
  variable: string;
  /** The beginning of the value, as typed. */
  value: string;
  /** The URI before the value. */
  before: string;
}

/** Undefined if the template does not match the beginning of the URI. */
export function completedTemplate(template: string, uri: string): CompletedVariable | undefined {
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

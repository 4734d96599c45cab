// Explains why an authorization server granted no login. Its own text is quoted: shortened, and without characters that
// a terminal would act on.
import { shortened, visibleText } from '@tidings/live/portable';

export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';

  /** Creates the error from the parameters of a callback without a code. */
  static ofCallback(callback: URLSearchParams): LoginRefused {
    const [error, description] = [callback.get('error'), callback.get('error_description')];
    if (error === null) return new LoginRefused('The callback has neither a code nor an error: start the login again.');
    const reason = reasons.get(error) ?? `The authorization server refused (${quotedLine(error)})`;
    return new LoginRefused(description === null ? `${reason}.` : `${reason}: ${quotedLine(description)}`);
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'You, or the authorization server, did not allow it'],
  ['invalid_scope', 'The authorization server does not know the scope, or does not allow it'],
  ['server_error', 'The authorization server failed'],
  ['temporarily_unavailable', 'The authorization server is busy: try again later'],
]);

const longest = 200;

/** Makes text of another server safe to show: one short line of visible characters. */
export function quotedLine(text: string): string {
  const line = visibleText(text.slice(0, longest * 4).replaceAll(/\s+/g, ' ')).trim();
  return shortened(line, longest);
}

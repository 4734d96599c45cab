// Invalid settings are refused at the start. Errors do not show values, since a secret may be in the wrong setting.
import { LiveError } from '@tidings/live';
import { webAddress } from '@tidings/live/portable';

/** A character that no header can carry would cause a later error that quotes the token. */
export function checkToken(name: string, token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new LiveError('UNAVAILABLE', `${name} is not a token: it is empty or has characters that no token has.`);
}

export function checkUrl(name: string, url: string): URL {
  const problem = `${name} is not an address such as "https://host.example": http or https, without a user name.`;
  return webAddress(url, () => new LiveError('UNAVAILABLE', problem));
}

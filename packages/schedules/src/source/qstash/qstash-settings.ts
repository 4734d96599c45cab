// Invalid settings are refused at the start. Errors do not show values, since a secret may be in the wrong setting.
import { LiveError } from '@tidings/live';
import { webAddress } from '@tidings/live/portable';
import { isHeaderToken } from '@tidings/live/internal';

export function checkToken(name: string, token: string): string {
  const trimmed = token.trim();
  if (isHeaderToken(trimmed)) return trimmed;
  throw new LiveError('UNAVAILABLE', `${name} is not a token: it is empty or has characters that no token has.`);
}

export function checkUrl(name: string, url: string): URL {
  const problem = `${name} is not an address such as "https://host.example": http or https, without a user name.`;
  return webAddress(url, () => new LiveError('UNAVAILABLE', problem));
}

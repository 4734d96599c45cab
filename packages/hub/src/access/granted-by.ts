// The part of an entry of the configuration that decides what a token allows. A change of the rest closes no connection.
import type { IssuerEntry, TokenEntry } from '@tidings/track';

export function grantedBy({
  limits: _limits,
  mentionChanges: _mentionChanges,
  ...granted
}: TokenEntry | IssuerEntry): object {
  return granted;
}

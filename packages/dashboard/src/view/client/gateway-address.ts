// The address of a resource at the gateway, as clients subscribe to it.
import { decodedIfValid } from '@tidings/live/portable';

const address = /^tidings:\/\/([^/]+)\/(.*)$/;

/** The server and its own URI; undefined if the URI is no address of the gateway. */
export function resourceAt(uri: string): { serverId: string; uri: string } | undefined {
  const [, serverId, encoded] = address.exec(uri) ?? [];
  return serverId === undefined || encoded === undefined ? undefined : { serverId, uri: decodedIfValid(encoded) };
}

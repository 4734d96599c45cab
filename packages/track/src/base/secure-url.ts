import { isLoopback } from '@tidings/live/internal';

/** Whether others cannot change what is sent to this address on the way: https, or a connection within this machine. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

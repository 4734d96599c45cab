// The name of a client on the page.
import type { ClientStatus } from '@tidings/client/contract';

export function clientName({ name, version }: Pick<ClientStatus, 'name' | 'version'>): string {
  return name === '' ? 'Unnamed client' : [name, version].filter(Boolean).join(' ');
}

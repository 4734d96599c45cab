// The title of a resource, if it says more than its URI.
import type { ListedResource } from '@tidings/client/contract';
import { decodedIfValid } from '@tidings/live/portable';

export function titleOf({ title, name, uri }: ListedResource): string | undefined {
  // Many servers repeat a part of the URI as the name.
  return title ?? (name !== '' && !decodedIfValid(uri).includes(name) ? name : undefined);
}

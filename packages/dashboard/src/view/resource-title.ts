// The title of a resource, if it says more than its URI.
import type { ListedResource } from '@tidings/client/contract';

export function titleOf({ title, name, uri }: ListedResource): string | undefined {
  // Many servers repeat a part of the URI as the name.
  return title ?? (name !== '' && !decodedUri(uri).includes(name) ? name : undefined);
}

function decodedUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

// The last two contents of each resource that was opened on this page, to show the difference.
import { BoundedMap } from '@tidings/live/portable';
import type { ShownContent } from '../hub/contents.ts';

export interface ShownVersions {
  current: ShownContent;
  currentAt: number;
  previous: ShownContent | undefined;
}

const mostKept = 100;

export class KnownVersions {
  readonly #known = new BoundedMap<string, ShownVersions>(mostKept);

  get(address: string): ShownVersions | undefined {
    return this.#known.get(address);
  }

  /** Identical content is not a new version. */
  add(address: string, content: ShownContent, at: number): ShownVersions {
    const known = this.#known.get(address);
    const versions =
      known?.current.etag === content.etag ? known : { current: content, currentAt: at, previous: known?.current };
    this.#known.set(address, versions);
    return versions;
  }
}

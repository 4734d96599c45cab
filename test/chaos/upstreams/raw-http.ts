// A server written by hand, over HTTP, that misbehaves when a fault asks it to.
import type { Era } from '@tidings/live/testing';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { RawUpstream } from '../../support/raw-upstream.ts';
import type { StartUpstream } from '../upstream.ts';

export function rawHttp(era: Era): StartUpstream {
  return async (id, resources) => {
    const raw = await RawUpstream.start(era, resources);
    const proxy = await FaultyProxy.open(raw.url);
    return {
      id,
      kind: `raw ${era}`,
      entry: raw.entry(id, { url: proxy.url }),
      resources: raw.resources,
      proxy,
      raw,
      put: async (uri, text) => raw.put(uri, text),
      [Symbol.asyncDispose]: async () => {
        await proxy.close();
        await raw[Symbol.asyncDispose]();
      },
    };
  };
}

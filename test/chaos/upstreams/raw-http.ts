// Hand-written servers over HTTP with configurable faults.
import type { Era } from '@tidings/live/testing';
import { FaultyProxy } from '../../support/network/faulty-proxy.ts';
import { RawUpstream } from '../../support/wire/raw-upstream.ts';
import type { StartUpstream } from '../upstream.ts';

export function rawHttp(era: Era): StartUpstream {
  return rawUpstream(`raw ${era}`, era);
}

/** A server that honours no subscription, so that its resources are polled. */
export function polledHttp(): StartUpstream {
  return rawUpstream('polled', 'modern', (raw) => {
    raw.faults.honors = () => false;
    raw.faults.ttlMs = 1000;
  });
}

function rawUpstream(kind: string, era: Era, teach: (raw: RawUpstream) => void = () => undefined): StartUpstream {
  return async (id, resources) => {
    const raw = await RawUpstream.start(era, resources);
    teach(raw);
    const proxy = await FaultyProxy.open(raw.url);
    return {
      id,
      kind,
      entry: raw.entry(id, { url: proxy.url }),
      uris: Object.keys(resources),
      resources: raw.resources,
      proxy,
      raw,
      put: async (uri, text) => {
        const isListed = uri in raw.resources;
        if (text === undefined || !isListed) raw.list(uri, text);
        else raw.put(uri, text);
      },
      [Symbol.asyncDispose]: async () => {
        await proxy.close();
        await raw[Symbol.asyncDispose]();
      },
    };
  };
}

// A server of the chaos suite: what it shows is known, and it can be made to fail. One file in upstreams/ for
// each kind.
import type { ServerEntry } from '@tidings/track';
import type { FaultyProxy } from '../support/faulty-proxy.ts';
import type { RawUpstream } from '../support/raw-upstream.ts';

export interface ChaosUpstream extends AsyncDisposable {
  readonly id: string;
  /** What it is, in the table of results. */
  readonly kind: string;
  /** How the hub reaches it: over HTTP through the proxy. */
  readonly entry: ServerEntry;
  /** The truth. */
  readonly resources: Readonly<Record<string, string>>;
  readonly proxy?: FaultyProxy;
  /** Where it is written by hand and misbehaves on request. */
  readonly raw?: RawUpstream;
  put(uri: string, text: string): Promise<void>;
  /** Ends its process without a word. */
  kill?(this: void): Promise<void>;
  /** Starts it again after `kill`, where the hub does not. */
  start?(this: void): Promise<void>;
}

export type StartUpstream = (id: string, resources: Record<string, string>) => Promise<ChaosUpstream>;

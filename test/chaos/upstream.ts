// A server of the chaos suite: its resources are known, and it can be made to fail. upstreams/ has one file per kind.
import type { ServerEntry } from '@tidings/track';
import type { FaultyProxy } from '../support/network/faulty-proxy.ts';
import type { RawUpstream } from '../support/wire/raw-upstream.ts';
import type { ScriptedServer } from '../track/scripted-server.ts';

export interface ChaosUpstream extends AsyncDisposable {
  readonly id: string;
  /** The name of its kind in the table of results. */
  readonly kind: string;
  /** The hub's configuration of it; over HTTP, its URL is the proxy's. */
  readonly entry: ServerEntry;
  /** Every URI it may have. */
  readonly uris: readonly string[];
  /** The current resources: text by URI. */
  readonly resources: Readonly<Record<string, string>>;
  readonly proxy?: FaultyProxy;
  /** Present if it is a `RawUpstream` (HTTP, with configurable faults). */
  readonly raw?: RawUpstream;
  /** Present if it is a `ScriptedServer` (stdio, with configurable faults). */
  readonly script?: ScriptedServer;
  /** The process, if the suite has started it. */
  readonly pid?: number | undefined;
  /** Changes a resource; without a text, it is removed. */
  put(uri: string, text: string | undefined): Promise<void>;
  /** Sends a signal to its process; if the signal ends the process, resolves after that. */
  signal?(this: void, signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, if the hub does not do that. */
  start?(this: void): Promise<void>;
  /** From its next start on it supports the other era only. */
  switchEra?(this: void): Promise<void>;
}

export type StartUpstream = (id: string, resources: Record<string, string>) => Promise<ChaosUpstream>;

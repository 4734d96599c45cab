// A server of the chaos suite: what it shows is known, and it can be made to fail. One file in upstreams/ for
// each kind.
import type { ServerEntry } from '@tidings/track';
import type { FaultyProxy } from '../support/faulty-proxy.ts';
import type { RawUpstream } from '../support/raw-upstream.ts';
import type { ScriptedServer } from '../track/scripted-server.ts';

export interface ChaosUpstream extends AsyncDisposable {
  readonly id: string;
  /** What it is, in the table of results. */
  readonly kind: string;
  /** How the hub reaches it: over HTTP through the proxy. */
  readonly entry: ServerEntry;
  /** Every URI it may have. */
  readonly uris: readonly string[];
  /** The truth: the URIs it has, with their texts. */
  readonly resources: Readonly<Record<string, string>>;
  readonly proxy?: FaultyProxy;
  /** Where it is written by hand, over HTTP, and misbehaves on request. */
  readonly raw?: RawUpstream;
  /** The same on stdio. */
  readonly script?: ScriptedServer;
  /** Of its process, where the suite has started it. */
  readonly pid?: number | undefined;
  /** Changes a resource; without a text it leaves the list. */
  put(uri: string, text: string | undefined): Promise<void>;
  /** Sends a signal to its process; resolves when a process that it ends has ended. */
  signal?(this: void, signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, where the hub does not. */
  start?(this: void): Promise<void>;
  /** From its next start on it speaks the other era only. */
  switchEra?(this: void): Promise<void>;
}

export type StartUpstream = (id: string, resources: Record<string, string>) => Promise<ChaosUpstream>;

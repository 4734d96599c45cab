// The port through which resources of one server are read and subscribed to.
import type { ReadResourceResult } from '@modelcontextprotocol/client';

export interface ResourceServer {
  /** Sends a read request. Rejects with a LiveError. */
  read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult>;
  /** Whether the server has confirmed the subscription and notifications can arrive. */
  isSubscribed(uri: string): boolean;
  /** The clock's time up to which notifications are known to have arrived. */
  heardAt(): number;
  /** The size that the server's list gives, if it does. */
  sizeOf(uri: string): number | undefined;
  /** Subscribes again: the server may have dropped the subscription while the resource was missing. */
  resubscribe(uri: string): void;
}

// The port of an HTTP connection to the session above it.

export interface HttpChannelEvents {
  gap(this: void): void;
  deliveryChanged(this: void): void;
  /** The server answered a request that was not sent through the SDK. */
  heard(this: void): void;
  /** A plain update has arrived on a stream. Returns whether it was handled; otherwise the SDK gets it. */
  updated(this: void, uri: string): boolean;
  /** A message arrived that cannot be read and may have been a notification. */
  unreadable(this: void): void;
  /** The session cannot be used any more. */
  lost(this: void, reason: string): void;
  /** A request or a stream has failed in a way that may concern the whole connection. */
  failed(this: void): void;
}

// The port to an agent: a realtime session, an input stream, a page. An adapter implements its protocol; the hub
// decides what is sent, and when.

/** Events that an adapter reports of its session. */
export interface AgentEvents {
  /** The model has begun, or ended, an answer. */
  answering(isAnswering: boolean): void;
  /** The first `messages` messages since it was opened have arrived; only from a port that `confirms`. */
  arrived(messages: number): void;
  /**
   * The message with this number, counted from 1 since the session was opened, was refused after it had been sent. The
   * reason is part of a sentence.
   */
  refused(message: number, reason: string): void;
  /** The session is lost; it may be opened again. */
  lost(reason: string): void;
}

/**
 * `notice`: a fixed sentence of ours, for the system role. `content`: what a server wrote, for the user role,
 * between marks that the server cannot know. It must never be sent in the system role.
 */
export interface AgentMessage {
  readonly kind: 'notice' | 'content';
  readonly text: string;
}

export interface AgentPort {
  /** The kind of session, such as `openai-realtime`. */
  readonly kind: string;
  /** Whether it confirms delivered messages. Otherwise a sent message counts as delivered. */
  readonly confirms?: boolean;
  /** Opens the session, and reopens it after it was lost. */
  open(events: AgentEvents): Promise<void>;
  /** Adds a message to the conversation without requesting an answer. Resolves when it was written to the socket. */
  send(message: AgentMessage): Promise<void>;
  close(): Promise<void>;
}

// The port to something that accepts messages: a realtime session, an input stream, a page. An adapter implements the
// protocol; what is sent, and when, is decided before it.

/** Events that an adapter reports of its session. */
export interface AgentEvents {
  /** The model began, or ended, to answer. */
  answering(isAnswering: boolean): void;
  /** The first `messages` messages since it was opened have arrived; only from a port that `confirms`. */
  arrived(messages: number): void;
  /** The message of this number, counted from 1 since it was opened, was refused after it had been sent. The reason
   * is part of a sentence. */
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
  /** What kind of session it is, such as `openai-realtime`. */
  readonly kind: string;
  /** Whether it confirms what has arrived. Otherwise a sent message counts as delivered. */
  readonly confirms?: boolean;
  /** Opens the session, also again after it was lost. */
  open(events: AgentEvents): Promise<void>;
  /** Adds a message to the conversation without requesting an answer. Resolves when it was written to the socket. */
  send(message: AgentMessage): Promise<void>;
  close(): Promise<void>;
}

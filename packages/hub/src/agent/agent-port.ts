// Something that takes messages: a realtime session, a stream of input, a page. An adapter speaks its
// language; what is said, and when, is decided before it.

/** What an adapter tells of its session. */
export interface AgentEvents {
  /** The model began, or ended, to answer. */
  answering(isAnswering: boolean): void;
  /** The first so many messages since it was opened have arrived; only from a port that `confirms`. */
  arrived(messages: number): void;
  /** The message of this number, counted from 1 since it was opened, was refused after it had been sent. The reason
   * is part of a sentence. */
  refused(message: number, reason: string): void;
  /** The session is gone; it may be opened again. */
  lost(reason: string): void;
}

/**
 * `notice`: a fixed sentence of ours, for the system role. `content`: what a server wrote, for the user role,
 * between marks that it cannot know. It must never go into the system role.
 */
export interface AgentMessage {
  readonly kind: 'notice' | 'content';
  readonly text: string;
}

export interface AgentPort {
  /** What kind of session it is, such as `openai-realtime`. */
  readonly kind: string;
  /** Whether it says what has arrived. Otherwise what was sent counts as that. */
  readonly confirms?: boolean;
  /** Opens the session, anew after it was lost. */
  open(events: AgentEvents): Promise<void>;
  /** Puts a message into the conversation without asking for an answer. Resolves when it is on the wire. */
  send(message: AgentMessage): Promise<void>;
  close(): Promise<void>;
}

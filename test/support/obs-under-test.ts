// What a test needs of an OBS, be it the fake or a real one.

export interface ObsUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly password: string;
  /** Again, after it was killed or has exited: with what it had. */
  start(): Promise<void>;
  /** Resolves when it has written down what has these names: killed before that, it would forget it. */
  saved(...names: string[]): Promise<void>;
  /** As the system ends a process, without a word. */
  kill(): Promise<void>;
  /** As its user ends it. */
  exit(): Promise<void>;
}

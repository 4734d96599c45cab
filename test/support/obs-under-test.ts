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
  /** Gives a color source another color. */
  repaint(source: string): Promise<void>;
  /** The fake has no sound of its own. */
  playTone(input: string): { end(): void };
  /** As Settings, Audio makes one: a microphone that is in no scene. A real OBS is restarted for it. */
  addGlobalInput(name: string): Promise<void>;
}

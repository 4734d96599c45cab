// The operations on an OBS that tests need; implemented by the fake and by a real one.

export interface ObsUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly password: string;
  /** Starts again after a kill or an exit, with the saved state. */
  start(): Promise<void>;
  /** Resolves when OBS has saved the objects with these names; a kill before that would lose them. */
  saved(...names: string[]): Promise<void>;
  /** Ends the process without a closing handshake, as SIGKILL does. */
  kill(): Promise<void>;
  /** Ends it as its user does. */
  exit(): Promise<void>;
  /** Gives a color source another color. */
  repaint(source: string): Promise<void>;
  /** The fake generates its own volume meters. */
  playTone(input: string): { end(): void };
  /** Adds an input as Settings, Audio does: a microphone that is in no scene. A real OBS is restarted for it. */
  addGlobalInput(name: string): Promise<void>;
}

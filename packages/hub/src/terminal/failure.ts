// A failure the user can do something about.

/** The message is all that is shown, and says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** 1: it failed. 2: it was used wrongly. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

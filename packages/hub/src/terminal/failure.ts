// An error that the user can act on.

/** Only the message is printed; it says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** 1: the command failed. 2: wrong usage. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

// The result of another server's tool or prompt. A gateway passes it on unchanged: the SDK neither validates nor
// completes it.

export class PassedResult {
  readonly result: Readonly<Record<string, unknown>>;

  constructor(result: Readonly<Record<string, unknown>>) {
    this.result = result;
  }
}

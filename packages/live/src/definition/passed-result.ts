// The result of a tool or prompt of another server, as a gateway passes it on: as it came, neither checked nor completed
// by the SDK. The server that gave it answers for it.

export class PassedResult {
  readonly result: Readonly<Record<string, unknown>>;

  constructor(result: Readonly<Record<string, unknown>>) {
    this.result = result;
  }
}

// The last lines a child wrote to stderr: shown when it fails, and only then.

const maxChars = 4000;
const maxLines = 10;

export class StderrTail {
  #text = '';

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString()).slice(-maxChars);
  }

  /** Empty, or indented lines that can follow a message. */
  toString(): string {
    const lines = this.#text.trim().split('\n').slice(-maxLines);
    return this.#text.trim() === '' ? '' : `\nIts last words:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}

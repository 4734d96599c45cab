// The parent's side of node-process.js.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node-process.js', import.meta.url));

export class BenchNode {
  #child;
  #asked = 0;
  url;

  static async start(place, bus) {
    const node = new BenchNode();
    node.#child = fork(program, [place, bus], { execArgv: ['--expose-gc'] });
    [{ url: node.url }] = await once(node.#child, 'message');
    return node;
  }

  ask(command, args = {}) {
    const id = (this.#asked += 1);
    this.#child.send({ id, command, ...args });
    return new Promise((resolve) => {
      const take = (answer) => {
        if (answer.id !== id) return;
        this.#child.off('message', take);
        resolve(answer);
      };
      this.#child.on('message', take);
    });
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}

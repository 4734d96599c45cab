// A case of the embedded scheduler's behaviour, for any engine and test runner.
import { Nodes } from './embedded-nodes.ts';

export interface EmbeddedCase {
  name: string;
  run(this: void, place: string): Promise<void>;
}

export function embeddedCase(name: string, test: (nodes: Nodes) => Promise<void>): EmbeddedCase {
  const run = async (place: string) => {
    const nodes = new Nodes(place);
    try {
      await test(nodes);
    } finally {
      await nodes.close();
    }
  };
  return { name, run };
}

// Asks the user at the terminal.
import { createInterface } from 'node:readline/promises';
import { printError } from './print-line.ts';

/** Resolves with an empty string on Ctrl-C and Ctrl-D. */
export async function askUser(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => {
    prompt.once('close', () => {
      printError('');
      resolve('');
    });
  });
  const answer = await Promise.race([prompt.question(question).catch(() => closed), closed]);
  prompt.removeAllListeners('close').close();
  return answer;
}

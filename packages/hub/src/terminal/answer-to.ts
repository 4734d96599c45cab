// A question to the person at the terminal.
import { createInterface } from 'node:readline/promises';
import { complain } from './say.ts';

/** Ctrl-C and Ctrl-D answer with nothing. */
export async function answerTo(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<string>((resolve) => {
    prompt.once('close', () => {
      complain('');
      resolve('');
    });
  });
  const answer = await Promise.race([prompt.question(question).catch(() => left), left]);
  prompt.removeAllListeners('close').close();
  return answer;
}

// Runs one batch of cases against a server process, several at a time. If the server dies, the unanswered cases are
// reported.
import type { Campaign } from './campaign.ts';
import type { Target } from './target.ts';

/** `attack` returns whether the server answered; a case without an answer is a suspect. */
export async function runBatch(
  target: Target,
  campaign: Campaign,
  numbers: readonly number[],
  concurrency: number,
  attack: (number: number) => Promise<boolean>,
): Promise<void> {
  const suspects = new Set<number>();
  const left = [...numbers].toReversed();
  const worker = async () => {
    for (let number = left.pop(); number !== undefined; number = left.pop()) {
      suspects.add(number);
      if (await attack(number)) suspects.delete(number);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
    await target.report();
  } catch (error) {
    throw new Error(await explain(target, campaign, suspects), { cause: error });
  }
}

async function explain(target: Target, { repeat }: Campaign, suspects: ReadonlySet<number>): Promise<string> {
  const place = `in one of the cases ${[...suspects].slice(0, 50).join(', ')} (${repeat})`;
  try {
    await target.report();
    return `Something went wrong ${place}.`;
  } catch (death) {
    return `The server did not survive, ${place}. ${String(death)}`;
  }
}

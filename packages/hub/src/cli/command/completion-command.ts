// `tidings completion SHELL`, and `tidings complete`, which the printed script runs at every Tab.
import { shortLine } from '@tidings/live/portable';
import { Argument, type Command } from 'commander';
import type { Candidates } from '../../completion/candidate.ts';
import { type Shell, filesMark, shellScripts, shells } from '../../completion/shell-scripts.ts';
import { print } from '../../terminal/print.ts';
import { defaultHub } from '../option/target-options.ts';

const examples = `
Examples:
  source <(tidings completion bash)     in ~/.bashrc
  source <(tidings completion zsh)      in ~/.zshrc, after compinit
  tidings completion fish > ~/.config/fish/completions/tidings.fish

URIs, servers, tools and prompts are those of the hub at --hub, TIDINGS_HUB or
${defaultHub}.`;

export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .usage('SHELL')
    .summary('complete commands, flags and URIs in your shell')
    .description('Prints a script for shell completion of commands, flags and, from a running hub, URIs.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examples)
    .action((shell: Shell) => print(shellScripts[shell]));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .action(async (words: string[]) => {
      const [{ candidates }, { runningHub }] = await Promise.all([
        import('../../completion/candidates.ts'),
        import('../../completion/running-hub.ts'),
      ]);
      const { TIDINGS_HUB, TIDINGS_TOKEN } = process.env;
      const namesAt = (hub = TIDINGS_HUB || defaultHub) => runningHub(new URL(hub), TIDINGS_TOKEN || undefined);
      await print(linesOf(await candidates(program, words, namesAt)));
    });
}

/** One on each line, with its description after a tab. Both are text of servers, shown by the shell as it is. */
function linesOf(found: Candidates): string {
  if (found === 'files') return `${filesMark}\n`;
  const isPlain = (text: string) => !/[\p{C}\p{Z}\s]/u.test(text);
  return found
    .filter(({ value }) => isPlain(value))
    .map(({ value, summary }) => `${value}\t${shortLine(summary)}\n`)
    .join('');
}

// `tidings help COMMAND`: what `tidings COMMAND --help` prints.
import type { Command } from 'commander';

const examples = `
Examples:
  tidings help watch
  tidings help config push`;

export function addHelpCommand(program: Command): void {
  // Commander's own help command prints the help of the program for an unknown command, instead of an error.
  program.helpCommand(false);
  program
    .command('help')
    .usage('[COMMAND]')
    .summary('show every flag of a command, with examples')
    .argument('[command...]')
    .addHelpText('after', examples)
    .action(async (names: readonly string[]) => (await commandOf(program, names)).help());
}

async function commandOf(program: Command, names: readonly string[]): Promise<Command> {
  let command = program;
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name);
    if (next === undefined) return command.error(await unknownCommand(command, name));
    command = next;
  }
  return command;
}

async function unknownCommand({ commands }: Command, name: string): Promise<string> {
  // Imported here, so that help does not wait for it to load.
  const { closest } = await import('../../look/closest.ts');
  const [similar] = closest(
    name,
    commands.map((each) => each.name()),
  );
  return `error: unknown command '${name}'${similar === undefined ? '' : `\n(Did you mean ${similar}?)`}`;
}

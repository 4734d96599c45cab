// What can follow on the command line: from the commands and flags themselves, and from a running hub.
import type { Argument, Command, Option } from 'commander';
import type { Candidate, Candidates } from './candidate.ts';

/** The names of a running hub. Empty if no hub answers. */
export interface HubNames {
  uris(): Promise<readonly Candidate[]>;
  servers(): Promise<readonly Candidate[]>;
  tools(server: string): Promise<readonly Candidate[]>;
  prompts(server: string): Promise<readonly Candidate[]>;
}

type Operand = (names: HubNames, before: readonly string[]) => Promise<readonly Candidate[]>;

const uri: Operand = (names) => names.uris();
const server: Operand = (names) => names.servers();

/** What each operand of a command names; the last one repeats if the command takes several. */
const operandsOf: Readonly<Record<string, readonly Operand[]>> = {
  read: [uri],
  watch: [uri],
  history: [uri],
  trust: [server],
  login: [server],
  logout: [server],
  call: [server, (names, [id = '']) => names.tools(id)],
  prompt: [server, (names, [id = '']) => names.prompts(id)],
};

const isFile = /file|dir|folder|place/;

/** `words` are the words after the program's name; the last is the one to complete, and may be empty. */
export async function candidates(
  program: Command,
  words: readonly string[],
  namesAt: (hub: string | undefined) => HubNames,
): Promise<Candidates> {
  const before = words.slice(0, -1);
  if (before.includes('--')) return 'files';
  const { command, rest } = innermost(program, before);
  const current = words.at(-1) ?? '';
  const { operands, open, hub } = read(command, rest);
  if (open !== undefined) return valuesOf(open);
  if (/^--.+=/.test(current)) return beginning(current, flagWithValues(command, current));
  if (current.startsWith('-')) return beginning(current, flagsOf(command));
  const found = await operandCandidates(command, operands, namesAt(hub));
  return found === 'files' ? found : beginning(current, found);
}

function beginning(current: string, all: readonly Candidate[]): readonly Candidate[] {
  return all.filter(({ value }) => value.startsWith(current));
}

/** The command that the words name, and those after its name. */
function innermost(command: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first, ...rest] = words;
  const named = command.commands.find((each) => each.name() === first);
  return named === undefined ? { command, rest: words } : innermost(named, rest);
}

interface ReadWords {
  operands: readonly string[];
  /** The option whose value comes next. */
  open: Option | undefined;
  hub: string | undefined;
}

function read(command: Command, words: readonly string[]): ReadWords {
  const operands: string[] = [];
  let open: Option | undefined;
  let hub: string | undefined;
  for (const word of words) {
    if (open !== undefined) {
      if (open.long === '--hub') hub = word;
      open = undefined;
    } else if (word.startsWith('--hub=')) {
      hub = word.slice('--hub='.length);
    } else if (word.startsWith('-')) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      open = option?.required ? option : undefined;
    } else {
      operands.push(word);
    }
  }
  return { operands, open, hub };
}

async function operandCandidates(command: Command, operands: readonly string[], names: HubNames): Promise<Candidates> {
  if (command.commands.length > 0) return command.commands.filter(isShown).map(candidateOf);
  const ofHub = operandsOf[command.name()];
  if (ofHub !== undefined) {
    const last = isVariadic(command) && command.name() === 'watch' ? ofHub.at(-1) : undefined;
    return (await (ofHub[operands.length] ?? last)?.(names, operands)) ?? [];
  }
  const argument = command.registeredArguments[Math.min(operands.length, command.registeredArguments.length - 1)];
  if (argument === undefined || (operands.length >= command.registeredArguments.length && !argument.variadic))
    return [];
  return choicesOf(argument);
}

function isVariadic({ registeredArguments }: Command): boolean {
  return registeredArguments.at(-1)?.variadic === true;
}

function choicesOf(argument: Argument): Candidates {
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value, summary: '' }));
  return isFile.test(argument.name()) ? 'files' : [];
}

function valuesOf({ argChoices, flags }: Option): Candidates {
  if (argChoices) return argChoices.map((value) => ({ value, summary: '' }));
  return isFile.test(flags) ? 'files' : [];
}

/** `--flag=value`, for each value of a flag that has a choice of them. */
function flagWithValues({ options }: Command, current: string): readonly Candidate[] {
  const flag = current.slice(0, current.indexOf('='));
  const values = options.find(({ long }) => long === flag)?.argChoices ?? [];
  return values.map((value) => ({ value: `${flag}=${value}`, summary: '' }));
}

function flagsOf(command: Command): readonly Candidate[] {
  const own = command.options.flatMap(({ long, description, hidden }) =>
    hidden || !long ? [] : [{ value: long, summary: description }],
  );
  return [...own, { value: '--help', summary: 'display help for command' }];
}

function isShown(command: Command): boolean {
  return command
    .createHelp()
    .visibleCommands(command.parent ?? command)
    .includes(command);
}

function candidateOf(command: Command): Candidate {
  return { value: command.name(), summary: command.summary() };
}

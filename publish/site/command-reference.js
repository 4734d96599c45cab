// Every command and flag of `tidings`, from the definitions of the command line.
import { outsideCode } from './export-reference.js';

export async function commandReference() {
  const { createProgram } = await import('../../packages/hub/dist/cli/program.js');
  const program = createProgram([]);
  const intro =
    'Exit codes: 0 success, 1 failure, 2 wrong usage. Flags override environment variables. [How to use them](../cli.md).';
  return ['# Commands', intro, ...allOf(program).map((command) => partOf(command)), ''].join('\n\n');
}

/**
 * The commands that can be run, `serve vcon` included.
 * @param {import('commander').Command} program
 * @returns {import('commander').Command[]}
 */
function allOf(program) {
  return program.commands.flatMap((command) => (command.commands.length > 0 ? allOf(command) : [command]));
}

/** @param {import('commander').Command} command */
function partOf(command) {
  const name = nameOf(command);
  const flags = command.options.filter(({ hidden }) => !hidden).map(row);
  return [
    `## ${name}`,
    outsideCode(command.description()),
    `\`\`\`text\n${name} ${command.usage()}\n\`\`\``,
    ['| flag | what | default | variable |', '| --- | --- | --- | --- |', ...flags].join('\n'),
    ...moreHelp(command),
  ].join('\n\n');
}

/** With its parent commands: `tidings serve vcon`. @param {import('commander').Command} command */
function nameOf(command) {
  const path = [command.name()];
  for (let parent = command.parent; parent; parent = parent.parent) path.unshift(parent.name());
  return path.join(' ');
}

/** @param {import('commander').Option} option */
function row({ flags, description, argChoices, defaultValue, defaultValueDescription, envVar }) {
  const usual = defaultValueDescription ?? (defaultValue === undefined ? '' : String(defaultValue));
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`;
  const cells = [
    `\`${flags}\``,
    outsideCode(`${description}${choices}`),
    usual && `\`${usual}\``,
    envVar && `\`${envVar}\``,
  ];
  return `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Examples and notes after the flags in a command's help. @param {import('commander').Command} command */
function moreHelp(command) {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, more = ''] = /\n(?:Options:\n(?: .*\n)*)([^]*)$/.exec(help) ?? [];
  return more.trim() === '' ? [] : [`\`\`\`text\n${more.trim()}\n\`\`\``];
}

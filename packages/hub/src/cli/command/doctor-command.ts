// `tidings doctor`: checks what the hub needs, and says what to do.
import type { Command } from 'commander';
import { dataOption } from '../option/data-option.ts';
import type { DoctorSettings } from '../../doctor/doctor.ts';
import { Failure } from '../../terminal/failure.ts';
import { portNumber } from '../option/port-number.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings doctor                          checks what "tidings up" would use here
  tidings doctor --config servers.json    also connects to each of these servers`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('find out what is wrong')
    .description(
      'Checks what the hub needs, and says what to do about each problem. The exit code is 1 if there is one.',
    )
    .addOption(
      variableOption('--port <number>', 'where the hub would listen', 'TIDINGS_PORT')
        .default(7411)
        .argParser(portNumber),
    )
    .addOption(variableOption('--host <address>', 'where the hub would listen', 'TIDINGS_HOST').default('127.0.0.1'))
    .addOption(dataOption())
    .addOption(variableOption('--config <file>', 'the configuration file to check', 'TIDINGS_CONFIG'))
    .addOption(variableOption('--trust', 'let a configuration file that was found start its commands', 'TIDINGS_TRUST'))
    .addOption(variableOption('--json', 'print the findings as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', examples)
    .action(async (settings: DoctorSettings) => {
      const { doctor } = await import('../../doctor/doctor.ts');
      const wrong = await doctor(settings);
      if (wrong > 0) throw new Failure(wrong === 1 ? 'One problem was found.' : `${wrong} problems were found.`);
    });
}

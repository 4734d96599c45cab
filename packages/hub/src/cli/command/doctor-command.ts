// `tidings doctor`: what is reachable, what is wrong, what to do.
import type { Command } from 'commander';
import { dataOption } from '../option/data-option.ts';
import type { DoctorSettings } from '../../doctor/doctor.ts';
import { Failure } from '../../terminal/failure.ts';
import { portNumber } from '../option/port-number.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings doctor                          as "tidings up" would run here
  tidings doctor --config servers.json    with these servers, each of which is tried`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('find out what is wrong')
    .description('Looks at what the hub needs, and says what is wrong and what to do. Ends with 1 if something is.')
    .addOption(
      variableOption('--port <number>', 'where the hub would listen', 'TIDINGS_PORT')
        .default(7411)
        .argParser(portNumber),
    )
    .addOption(variableOption('--host <address>', 'where the hub would listen', 'TIDINGS_HOST').default('127.0.0.1'))
    .addOption(dataOption())
    .addOption(variableOption('--config <file>', 'the servers to try', 'TIDINGS_CONFIG'))
    .addOption(
      variableOption('--trust', 'start the commands of a configuration that was found, to try them', 'TIDINGS_TRUST'),
    )
    .addOption(variableOption('--json', 'print what was found as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', examples)
    .action(async (settings: DoctorSettings) => {
      const { doctor } = await import('../../doctor/doctor.ts');
      const wrong = await doctor(settings);
      if (wrong > 0) throw new Failure(wrong === 1 ? 'One thing is wrong.' : `${wrong} things are wrong.`);
    });
}

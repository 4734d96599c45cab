// `--bus`: how nodes wake each other.
import { parsedUrl } from '@tidings/live/portable';
import { InvalidArgumentError, type Option } from 'commander';
import { variableOption } from './variable-option.ts';

export function busOption(): Option {
  return variableOption(
    '--bus <url>',
    'a NATS server by which nodes on one database wake each other',
    'TIDINGS_BUS',
  ).argParser(natsAddress);
}

function natsAddress(text: string): string {
  const isAddress = (each: string) => /^(nats|tls):$/.test(parsedUrl(each.trim())?.protocol ?? '');
  if (text.split(',').every(isAddress)) return text;
  throw new InvalidArgumentError('It is an address such as nats://127.0.0.1:4222, or several with commas.');
}

// A schema that is shown to clients and not checked here: the server behind the gateway checks arguments.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/client';

type JsonSchema = Record<string, unknown>;

export function passThrough(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'tidings',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

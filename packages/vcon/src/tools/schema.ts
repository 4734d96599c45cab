// Tools that show what a vCon looks like: the format, and examples of it.
import type { Clock, LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { toolResult } from '@tidings/live';
import { z } from 'zod';
import { exampleNames, exampleOf } from '../model/examples.ts';
import { type JsonObject, isObject } from '../model/json.ts';
import { typeDeclarations } from '../model/type-declarations.ts';
import { newUuid } from '../model/uuid.ts';
import { formatVersion, vconSchema } from '../model/vcon.ts';

const annotations = { readOnlyHint: true };

export function addSchemaTools(server: LiveServer, clock: Clock): void {
  server.tool(
    'get_schema',
    {
      title: 'The format of a vCon',
      description: 'What fields a vCon has, as JSON Schema or as TypeScript. Other fields are kept as well.',
      input: toolArguments({
        format: z.enum(['json_schema', 'typescript']).optional().describe('Default: json_schema.'),
        version: z.enum(['latest', formatVersion]).optional().describe(`Default: latest, which is ${formatVersion}.`),
      }),
      output: z.object({ version: z.string(), format: z.string(), schema: z.union([z.looseObject({}), z.string()]) }),
      annotations,
    },
    ({ format = 'json_schema' }) => {
      const schema = vconJsonSchema();
      const shown = format === 'typescript' ? typeDeclarations('VCon', schema) : schema;
      const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
      return toolResult({
        content: [{ type: 'text', text }],
        structuredContent: { version: formatVersion, format, schema: shown },
      });
    },
  );
  server.tool(
    'get_examples',
    {
      title: 'Example vCons',
      description: 'A vCon as an example, which create_vcon accepts.',
      input: toolArguments({
        example_type: z.enum(exampleNames).optional().describe('Default: minimal.'),
        format: z.enum(['json', 'yaml']).optional().describe('Both are answered as JSON, which YAML includes.'),
      }),
      output: z.object({ example_type: z.string(), example: z.looseObject({}) }),
      annotations,
    },
    ({ example_type = 'minimal' }) => {
      const now = new Date(clock.date());
      const example = exampleOf(example_type, { uuid: newUuid(now.getTime()), now });
      return toolResult({
        content: [{ type: 'text', text: JSON.stringify(example, undefined, 2) }],
        structuredContent: { example_type, example },
      });
    },
  );
}

function vconJsonSchema(): JsonObject {
  // Rules that a JSON Schema cannot express are left out.
  const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(vconSchema, { unrepresentable: 'any' })));
  if (!isObject(schema)) throw new TypeError('A JSON Schema must be an object.');
  return schema;
}

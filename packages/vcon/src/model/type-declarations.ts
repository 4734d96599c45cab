// The types of a JSON Schema as TypeScript, for programs that read vCons.
import { isList, isObject, type Json, type JsonObject } from './json.ts';

export function typeDeclarations(name: string, schema: JsonObject): string {
  return `export type ${name} = ${typeOf(schema, '')};\n`;
}

function typeOf(schema: Json | undefined, indent: string): string {
  if (!isObject(schema)) return 'unknown';
  const { type, anyOf, items, enum: values } = schema;
  if (isList(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (isList(anyOf)) return anyOf.map((each) => typeOf(each, indent)).join(' | ');
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOf(items, indent)}>`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required }: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) => {
    const isRequired = isList(required) && required.includes(name);
    const description = isObject(field) ? field['description'] : undefined;
    const line = `${inner}${name}${isRequired ? '' : '?'}: ${typeOf(field, inner)};`;
    return typeof description === 'string' ? [`${inner}/** ${description.replaceAll('*/', '* /')} */`, line] : [line];
  });
  // Fields of extensions, and of other versions of the format.
  return ['{', ...fields, `${inner}[field: string]: unknown;`, `${indent}}`].join('\n');
}

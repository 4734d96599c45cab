// Every route of the hub, from its OpenAPI document.

/**
 * @typedef {{ type?: string, enum?: string[], minimum?: number, maximum?: number, default?: unknown }} Schema
 * @typedef {{ description?: string, content?: Record<string, { schema: Schema }> }} Part
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ summary: string, parameters?: Parameter[], requestBody?: Part, responses: Record<string, Part> }} Operation
 */

export async function routeReference() {
  const { openApiDocument } = await import('../../packages/hub/dist/http/openapi/openapi.js');
  const { paths } = openApiDocument();
  const intro = [
    'A running hub has this as an OpenAPI 3.1 document at `/api/openapi.json`. Errors are `{"error": {"code", "message"}}`, [with these codes](../errors.md).',
    'Where the hub requires a token, send `Authorization: Bearer …`.',
  ].join(' ');
  const parts = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => partOf(`${method.toUpperCase()} ${path}`, operation)),
  );
  return ['# Routes of the hub', intro, ...parts, ''].join('\n\n');
}

/** @param {string} route @param {Operation} operation */
function partOf(route, { summary, parameters = [], requestBody, responses }) {
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${description || typeOf(schema)} |`,
  );
  return [
    `## \`${route}\``,
    summary,
    ...(rows.length > 0 ? [['| parameter | in | what |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ...bodies('Takes', requestBody),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      status === 'default' ? [] : [`Answers ${status}: ${answer.description}.`].concat(bodies('', answer)),
    ),
  ].join('\n\n');
}

/** @param {string} words @param {Part | undefined} part */
function bodies(words, part) {
  return Object.entries(part?.content ?? {}).map(([type, { schema }]) =>
    [`${words} \`${type}\`:`.trim(), `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``].join('\n\n'),
  );
}

/** @param {Schema} schema */
function typeOf({ type, enum: values, minimum, maximum, default: usual }) {
  const bounds = minimum === undefined ? '' : ` from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}`;
  return `${values?.join(', ') ?? `${type ?? 'value'}${bounds}`}${usual === undefined ? '' : `; default ${JSON.stringify(usual)}`}`;
}

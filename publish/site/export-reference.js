// A page for each entry point of a package: every export with its comment, example and declaration, from the built
// declarations.
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';

/** Entry points for the packages of this project only. */
const internal = /^\.\/(internal|portable|version|package\.json|\*)$/;

/** @returns {Map<string, string>} */
export function exportReference() {
  const pages = new Map();
  for (const folder of readdirSync('packages')) {
    const { name, description, exports = {} } = JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
    for (const [entry, { types }] of Object.entries(exports)) {
      if (internal.test(entry)) continue;
      const module = posix.join(name, entry);
      const page = [folder, ...(entry === '.' ? [] : [entry.slice(2)])].join('-');
      pages.set(page, pageOf(module, description, posix.join('packages', folder, types)));
    }
  }
  return pages;
}

/** @param {string} module @param {string} description @param {string} types */
function pageOf(module, description, types) {
  const declarations = exportsOf(types).toSorted((one, other) => one.name.localeCompare(other.name));
  const parts = declarations.map(({ name, comment, code }) => [
    `## ${name}`,
    inWords(comment),
    `\`\`\`ts\n${code}\n\`\`\``,
  ]);
  return [`# ${module}`, `${description} Everything that \`import … from '${module}'\` has.`, ...parts.flat(), ''].join(
    '\n\n',
  );
}

/** @param {string} file @returns {{ name: string, comment: string, code: string }[]} */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8');
  const own = statements(text).filter(({ name }) => name !== '');
  const passed = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)].flatMap(
    ([, names = '', path = '']) => {
      const wanted = names
        .split(',')
        .map((each) => each.trim().replace(/^type /, ''))
        .filter((each) => each !== '');
      return path.startsWith('.') ? fromFile(posix.join(posix.dirname(file), path), wanted) : fromPackage(path, wanted);
    },
  );
  return [...own, ...passed];
}

/** @param {string} path @param {string[]} names */
function fromFile(path, names) {
  const all = statements(readFileSync(path.replace(/\.[jt]s$/, '.d.ts'), 'utf8'));
  return names.map((name) => {
    const found = all.filter((each) => each.name === name);
    if (found.length === 0) throw new Error(`${path} declares no ${name}.`);
    const comment = found.find((each) => each.comment !== '')?.comment ?? '';
    return { name, comment, code: found.map(({ code }) => code).join('\n') };
  });
}

/** @param {string} path @param {string[]} names */
function fromPackage(path, names) {
  return names.map((name) => ({ name, comment: `From \`${path}\`.`, code: `export { ${name} } from '${path}';` }));
}

/**
 * The top-level statements of a file of declarations, with the comments before them. The compiler indents everything
 * inside a statement, so one begins at each line that begins with a letter.
 * @param {string} text
 */
function statements(text) {
  const found = [];
  let comment = '';
  for (const block of text.split(/^(?=\/\*\*|[a-z])/m)) {
    const trimmed = block.trim();
    if (trimmed.startsWith('/**')) {
      comment = trimmed;
      continue;
    }
    const [, name = ''] =
      /^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type|enum) (\w+)/.exec(trimmed) ?? [];
    found.push({
      name,
      comment,
      code: trimmed.replace(/^export declare /, 'export ').replaceAll(/^ +#private;\n/gm, ''),
    });
    comment = '';
  }
  return found;
}

/** A comment as Markdown, its example as code. @param {string} comment */
function inWords(comment) {
  const text = comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replaceAll(/^\s*\* ?/gm, '');
  const [words = '', ...examples] = text.split(/^@example\s*/m);
  return [outsideCode(words.trim()), ...examples.map((each) => `\`\`\`ts\n${each.trim()}\n\`\`\``)].join('\n\n');
}

/** Escapes `<` and `{{` outside code, where the site would interpret them. @param {string} text */
export function outsideCode(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, n) => (n % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('');
}

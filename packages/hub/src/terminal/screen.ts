// What stdout can show: colours and the number of columns of a terminal, or neither on a pipe.

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Screen {
  /** Whether output goes to a terminal, not to a program or a file. */
  readonly isTerminal: boolean;
  /** Lines are cut to this width; unlimited on a pipe. */
  readonly columns: number;
  style(this: void, style: Style, text: string): string;
}

const codes: Record<Style, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Properties of a terminal's stream; a pipe has neither. */
interface TerminalProperties {
  isTTY?: boolean;
  columns?: number;
}

export function screenOf(output: TerminalProperties, env: NodeJS.ProcessEnv): Screen {
  const { isTTY: isTerminal = false, columns = 80 } = output;
  const isColoured = wantsColour(isTerminal, env);
  return {
    isTerminal,
    columns: isTerminal ? columns || 80 : Infinity,
    style: (style, text) => {
      if (!isColoured || text === '') return text;
      const [on, off] = codes[style];
      return `\u001B[${on}m${text}\u001B[${off}m`;
    },
  };
}

/** FORCE_COLOR takes precedence over NO_COLOR, as in Node. */
function wantsColour(isTerminal: boolean, { FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (FORCE_COLOR !== undefined) return !/^(0|false)$/.test(FORCE_COLOR);
  if (NO_COLOR) return false;
  return isTerminal && TERM !== 'dumb';
}

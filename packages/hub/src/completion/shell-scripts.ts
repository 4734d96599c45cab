// The scripts that a shell evaluates to complete `tidings`: they pass the words to `tidings complete`, which prints the
// candidates.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Printed instead of candidates if the shell should complete file names. */
export const filesMark = ':files';

/**
 * Bash also splits words at colons and equals signs, except in quotes. So the word is taken from the line, and the part up
 * to its last colon or equals sign is left out of the completions.
 */
const bash = `# Completion of tidings for bash. In ~/.bashrc: source <(tidings completion bash)
_tidings() {
  local line=\${COMP_LINE:0:COMP_POINT} words current known='' format=%q value summary
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  if [[ $current == [\\'\\"]* ]]; then
    current=\${current:1}
    format=%s
  else
    current=\${current//\\\\/}
    known=\${current%"\${current##*[:=]}"}
  fi
  words[\${#words[@]} - 1]=$current
  COMPREPLY=()
  while IFS=$'\\t' read -r value summary; do
    if [[ $value == ${filesMark} ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    value=\${value#"$known"}
    printf -v value "$format" "$value"
    COMPREPLY+=("$value")
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _tidings tidings
`;

const zsh = `#compdef tidings
# Completion of tidings for zsh. In ~/.zshrc, after compinit: source <(tidings completion zsh)
_tidings() {
  local -a found
  local value summary
  while IFS=$'\\t' read -r value summary; do
    if [[ $value == ${filesMark} ]]; then
      _files
      return
    fi
    found+=("\${value//:/\\\\:}\${summary:+:$summary}")
  done < <("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  _describe -V tidings found
}
# As the file _tidings in a folder of $fpath, it is run by the first Tab.
if [[ $funcstack[1] == _tidings ]]; then _tidings; else compdef _tidings tidings; fi
`;

const fish = `# Completion of tidings for fish: tidings completion fish > ~/.config/fish/completions/tidings.fish
function __tidings_candidates
  set -l words (commandline -opc) (string replace -r '^[\\'"]' '' -- (commandline -ct) | string unescape)
  set -l found (command $words[1] complete -- $words[2..] 2>/dev/null)
  if test "$found[1]" = ${filesMark}
    __fish_complete_path (commandline -ct)
  else
    string join -- \\n $found
  end
end
complete -c tidings -f -a '(__tidings_candidates)'
`;

export const shellScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

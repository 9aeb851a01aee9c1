#!/usr/bin/env bash
# Holds the bodies of the chat scenarios against the types of others: Rust's first, then JavaScript's.
set -eu
cd "$(dirname "$0")"
cargo test --locked
cd js
npm ci --silent
npm test

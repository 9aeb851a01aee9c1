#!/usr/bin/env bash
# The tests of the npm package. Without arguments it runs every part below; with arguments, those parts.
#
#   build        the package, in wasm/dist
#   vectors-js   the scenario files in Node and in Chromium; ASKGATE_VECTORS names another folder of them. Where
#                ASKGATE_TRANSCRIPT names a file, what the package gave in Node is written to it
#   consumers    the packed package in each of its consumers, and hostile calls (ASKGATE_CALLS says how many)
#   browser      the example, driven in Chromium
#   budgets      what each part of the modules weighs; size and speed against what they are to be
set -eu
cd "$(dirname "$0")"
root="$(cd ../.. && pwd)"

parts="build vectors-js consumers browser budgets"

need_chromium() {
  command -v chromium >/dev/null 2>&1 && return 0
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1
  command -v chromium >/dev/null 2>&1 || { echo "chromium is not to be had" >&2; exit 1; }
}

need_packages() {
  # Not `npm ci`: it refuses a lock file without an optional package for another system that the registry does not have.
  test -d node_modules || npm install --no-save --ignore-scripts --no-audit --no-fund --silent
}

need_build() {
  test -f "$root/wasm/dist/package.json" || part_build
}

part_build() {
  "$root/wasm/build"
}

part_vectors-js() {
  need_packages
  need_build
  need_chromium
  folder="$(mktemp -d)"
  ASKGATE_TRANSCRIPT="$folder/node" node vectors.mjs
  ASKGATE_TRANSCRIPT="$folder/chromium" node vectors-browser.mjs | tail -n 1
  cmp "$folder/node" "$folder/chromium"
  [ -z "${ASKGATE_TRANSCRIPT:-}" ] || cp "$folder/node" "$ASKGATE_TRANSCRIPT"
  rm -r "$folder"
}

part_consumers() {
  need_packages
  need_build
  need_chromium
  node consumers.mjs
  ASKGATE_CALLS="${ASKGATE_CALLS:-1000000}" node hostile.mjs
  target="$(cd "$root" && cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')"
  (cd "$root" && "$root/wasm/build" --hooks "$target/askgate-hooks.wasm")
  node panic.mjs "$target/askgate-hooks.wasm"
}

part_browser() {
  need_packages
  need_build
  need_chromium
  (cd "$root/examples/webview" && { test -d node_modules || npm ci --no-audit --no-fund --silent; })
  node example.mjs
}

part_budgets() {
  need_packages
  need_build
  folder="$(mktemp -d)"
  "$root/wasm/build" --names "$folder"
  node weigh.mjs "$folder"
  rm -r "$folder"
  node budgets.mjs
}

for part in ${*:-$parts}; do
  case " $parts " in
    *" $part "*) ;;
    *) echo "no part is called $part; there are: $parts" >&2; exit 1 ;;
  esac
done
for part in ${*:-$parts}; do
  printf '\n== %s\n' "$part"
  "part_$part"
done

#!/usr/bin/env bash
# The tests of the C interface.
#
#   tests/c/run.sh [vectors] [checks] [slow]     the first two by default
#
#   vectors  the scenario files through the C interface: plain, under AddressSanitizer with UndefinedBehaviorSanitizer, and
#            under valgrind; ASKGATE_VECTORS names another folder, arguments after -- choose files by a part of their names
#   checks   the header, misuse, panics, deliberate faults, symbols, versions, packaging, examples, the library without std,
#            and what the interface costs
#   slow     Miri and ThreadSanitizer, which need a nightly toolchain
#
# It installs what it needs by apt-get and rustup. What it cannot have it names, and fails.
set -eu
cd "$(dirname "$0")/../.."

out=$PWD/target/c
mkdir -p "$out"
warn="-Wall -Wextra -Wpedantic -Werror"
asan="-g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
libs="-lpthread -ldl -lm"

say() { printf '\n-- %s\n' "$*"; }
die() { echo "FAIL: $*" >&2; exit 1; }

# Runs scenarios, and shows those that fail, and how many there were.
quietly() {
  local is=0
  "$@" >"$out/scenarios.log" || is=$?
  grep -av '^ok ' "$out/scenarios.log"
  return $is
}

# need COMMAND PACKAGE…: installs the packages unless the command is there.
need() {
  command -v "$1" >/dev/null 2>&1 && return 0
  local command=$1
  shift
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } >/dev/null 2>&1 || true
  command -v "$command" >/dev/null 2>&1 || die "$command is not to be had"
}

need_jansson() {
  need pkg-config pkg-config
  pkg-config --exists jansson && return 0
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libjansson-dev; } >/dev/null 2>&1 || true
  pkg-config --exists jansson || die "jansson is not to be had"
}

# The library with the hooks of the tests: it frees borrowed text as early as the rules allow.
build_hooks() {
  cargo build --quiet -p askgate-ffi --features test-hooks --target-dir "$out/hooks"
  hooks=$out/hooks/debug/libaskgate.a
}

# The library as it is installed.
install_it() {
  rm -rf "$out/prefix"
  ffi/install.sh --prefix "$out/prefix"
  export PKG_CONFIG_PATH=$out/prefix/lib/pkgconfig LD_LIBRARY_PATH=$out/prefix/lib
}

runner_sources() { printf "tests/c/%s.c " runner json chat endpoint gate plain modal; }

vectors() {
  need gcc gcc
  need valgrind valgrind
  need_jansson
  build_hooks
  install_it
  local sources json
  sources=$(runner_sources)
  json=$(pkg-config --cflags --libs jansson)
  # shellcheck disable=SC2086
  gcc -std=c11 -D_DEFAULT_SOURCE -O1 -g $warn $sources -o "$out/runner" $(pkg-config --cflags --libs askgate) $json
  # shellcheck disable=SC2086
  gcc -std=c11 -D_DEFAULT_SOURCE $asan $warn -Iinclude $sources -o "$out/runner-asan" "$hooks" $json $libs

  say "the scenarios, through the installed library"
  quietly "$out/runner" "$@"
  say "under AddressSanitizer and UndefinedBehaviorSanitizer"
  quietly "$out/runner-asan" "$@"
  say "under valgrind"
  quietly valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=99 \
    "$out/runner" "$@"
}

header() {
  say "the header is what is made of the sources, and the exports do what they say"
  cargo test --quiet -p askgate-ffi
  say "the header alone, in each language"
  local standard
  for standard in c99 c11 c17; do
    echo '#include <askgate.h>' | gcc -std=$standard $warn -Iinclude -fsyntax-only -x c - || die "$standard"
  done
  for standard in c++11 c++17; do
    echo '#include <askgate.h>' | g++ -std=$standard $warn -Iinclude -fsyntax-only -x c++ - || die "$standard"
  done
  say "the header's example"
  sed -n '/^ \* #include/,/^ \* }$/s/^ \* \{0,1\}//p' include/askgate.h >"$out/example.c"
  # shellcheck disable=SC2046
  gcc -std=c11 $warn "$out/example.c" $(pkg-config --cflags --libs askgate) -o "$out/example"
  echo yes | "$out/example" | grep -q '"outcome":"answered","answers":"yes"' || die "the example does not answer"
  "$out/example" </dev/null | grep -q '"outcome":"cancelled"' || die "the example does not cancel"
  echo maybe | "$out/example" | grep -q 'That is no answer' || die "the example takes what is no answer"
}

# The twenty lines of README, compiled as their reader would: with the header and the pkg-config file alone.
readme() {
  grep -q '^```c$' README.md || return 0
  say "the host in README"
  mkdir -p "$out/alone"
  sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >"$out/alone/host.c"
  # shellcheck disable=SC2046
  (cd "$out/alone" && cc -Wall -Wextra host.c $(pkg-config --cflags --libs askgate) -o host)
  printf 'maybe\nyes' | "$out/alone/host" | grep -q '"outcome":"answered","answers":"yes"' || die "README: no answer"
  "$out/alone/host" </dev/null | grep -q '"outcome":"cancelled"' || die "README: no cancel"
}

symbols() {
  say "symbols and versions"
  nm -D --defined-only "$out/prefix/lib/libaskgate.so" | awk '{ print $3 }' | sort >"$out/exported"
  gcc -E -P include/askgate.h | grep -v inline | grep -oE '\baskgate_[a-z_]+ *\(' | tr -d ' (' | sort -u | grep -v '^askgate_str$' >"$out/declared"
  diff "$out/declared" "$out/exported" || die "the header's functions are not the library's"
  local version
  version=$(cargo pkgid -p askgate-ffi | sed 's/.*[#@]//')
  grep -q "^#define ASKGATE_VERSION \"$version\"$" include/askgate.h || die "the header is not of version $version"
  [ "$(pkg-config --modversion askgate)" = "$version" ] || die "askgate.pc is not of version $version"
  echo "$(wc -l <"$out/exported") functions, version $version"
  say "sizes, stripped"
  (cd "$out/prefix/lib" && stat -c '%n %s' libaskgate.a libaskgate.so.*.*.*)
}

misuse() {
  say "misuse and panics, under the sanitizers"
  gcc -std=c11 $asan $warn -Iinclude -DASKGATE_TEST_HOOKS tests/c/misuse.c -o "$out/misuse-asan" "$hooks" $libs
  "$out/misuse-asan" 2>"$out/misuse.log" || { cat "$out/misuse.log" >&2; die "misuse"; }
  say "misuse, through the installed library, under valgrind"
  # shellcheck disable=SC2046
  gcc -std=c11 -g $warn tests/c/misuse.c -o "$out/misuse" $(pkg-config --cflags --libs askgate)
  valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=99 "$out/misuse"
  say "deliberate faults are caught"
  gcc -std=c11 $asan $warn -Iinclude tests/c/fault.c -o "$out/fault" "$hooks" $libs
  "$out/fault" none || die "the program is at fault by itself"
  local fault report
  for fault in overflow:heap-buffer-overflow undefined:'signed integer overflow' borrowed:heap-use-after-free \
    error:heap-use-after-free freed:heap-use-after-free leak:'detected memory leaks'; do
    report=$("$out/fault" "${fault%%:*}" 2>&1) && die "${fault%%:*} was not caught"
    case $report in *"${fault#*:}"*) echo "${fault%%:*}: ${fault#*:}" ;; *) die "${fault%%:*}: $report" ;; esac
  done
}

# expect STATUS OUTPUT COMMAND…: with the input given.
expect() {
  local status=$1 wanted=$2 got is=0
  shift 2
  got=$("$@" 2>"$out/stderr") || is=$?
  [ "$is" = "$status" ] && [ "$got" = "$wanted" ] || { cat "$out/stderr" >&2; die "$*: $is, $got"; }
}

# said ID TEXT: an update of Telegram with that message.
said() {
  printf '{"update_id":%d,"message":{"message_id":%d,"date":1,"text":"%s","chat":{"id":9,"type":"private"},"from":{"id":9}}}\n' \
    "$1" "$1" "$2"
}

# A message starts a form in a chat, a button answers one question and a message the other.
chat_host() {
  local question token result
  coproc CHAT { exec "$1"; }
  said 7 'Ship it' >&"${CHAT[1]}"
  read -r -t 10 question <&"${CHAT[0]}" || die "$1: no question"
  token=$(sed -n 's/.*"text":"Production","callback_data":"\([^"]*\)".*/\1/p' <<<"$question")
  printf '{"update_id":8,"callback_query":{"id":"1","from":{"id":9},"data":"%s","message":{"message_id":11,"date":1,"chat":{"id":9}}}}\n' \
    "$token" >&"${CHAT[1]}"
  said 20 'It is ready' >&"${CHAT[1]}"
  result=$(timeout 10 sed -n '/^result /{p;q;}' <&"${CHAT[0]}")
  case $result in
    *'[{"id":"where","selected":["Production"]},{"id":"why","selected":[],"custom":"It is ready"}]'*) ;;
    *) die "$1: ${result:-no result}" ;;
  esac
  kill "$CHAT_PID"
  wait "$CHAT_PID" 2>/dev/null || true
  # Without an answer nothing is made up, and the message that was sent says so.
  result=$(said 7 'Ship it' | "$1")
  case $result in
    *'"details":{"status":"cancelled","reason":"shutdown"}'*'editMessageText {"chat_id":9,"message_id":11,'*'nothing was answered'*) ;;
    *) die "$1: $result" ;;
  esac
}

hosts() {
  local host=$1 hostpp=$2
  local choice='{"surface_id":"tty","kind":"choice","title":"Where to?","choices":[{"id":"dev"},{"id":"prod"}]}'
  printf y | expect 0 yes "$host"
  printf 2 | expect 0 prod "$host" "$choice"
  printf '\033' | expect 3 "" "$host" "$choice"
  printf 'because\r' | expect 0 '[{"id":"why","selected":[],"custom":"because"}]' "$host" \
    '{"questions":[{"id":"why","question":"Why?","options":[]}]}'
  printf '\t\r\t ' | expect 0 run "$host" '{"surface_id":"tty","kind":"confirm-command","title":"Run?","body":"make"}'
  sleep 1 | expect 2 "" "$host" '{"surface_id":"tty","kind":"yesno","title":"Go?","timeout_ms":100}'
  expect 1 "" "$host" '{"kind":1}' </dev/null
  {
    echo '{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Go?"}}'
    echo '{"id":2,"method":"agent.ask_answer","params":{"request_id":"req:1","value":"yes"}}'
    echo '{"id":3,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Go?"}}'
  } | "$hostpp" >"$out/lines"
  grep -qxF '{"id":1,"result":{"request_id":"req:1","action":"ok","value":"yes"}}' "$out/lines" || die "host.cpp: no answer"
  grep -qxF '{"id":3,"result":{"request_id":"req:2","action":"cancel","reason":"shutdown"}}' "$out/lines" ||
    die "host.cpp: no end"
}

examples() {
  need g++ g++
  need cmake cmake
  need meson meson ninja-build
  need python3 python3
  say "the hosts, by pkg-config"
  # shellcheck disable=SC2046
  gcc -std=c99 $warn examples/c/host.c $(pkg-config --cflags --libs askgate) -o "$out/host"
  # shellcheck disable=SC2046
  g++ -std=c++17 $warn examples/c/host.cpp $(pkg-config --cflags --libs askgate) -o "$out/hostpp"
  # shellcheck disable=SC2046
  gcc -std=c99 $warn examples/c/chat.c $(pkg-config --cflags --libs askgate) -o "$out/chat"
  hosts "$out/host" "$out/hostpp"
  chat_host "$out/chat"
  # Linked with the static library, they need no other.
  # shellcheck disable=SC2046
  gcc -std=c99 $warn examples/c/host.c $(pkg-config --cflags askgate) "$out/prefix/lib/libaskgate.a" $libs -o "$out/host-static"
  printf y | LD_LIBRARY_PATH='' expect 0 yes "$out/host-static"
  say "by CMake"
  cmake -S examples/c -B "$out/cmake" >"$out/cmake.log" && cmake --build "$out/cmake" >>"$out/cmake.log" ||
    { cat "$out/cmake.log" >&2; die cmake; }
  hosts "$out/cmake/host" "$out/cmake/hostpp"
  chat_host "$out/cmake/chat"
  say "by Meson"
  rm -rf "$out/meson"
  meson setup "$out/meson" examples/c >"$out/meson.log" && meson compile -C "$out/meson" >>"$out/meson.log" ||
    { cat "$out/meson.log" >&2; die meson; }
  hosts "$out/meson/host" "$out/meson/hostpp"
  chat_host "$out/meson/chat"
  say "in Python"
  local choice='{"surface_id":"tty","kind":"choice","title":"Where to?","choices":[{"id":"dev"},{"id":"prod"}]}'
  printf 'maybe\nprod\n' | expect 0 prod python3 examples/python/host.py "$choice"
  grep -q 'invalid_answer' "$out/stderr" || die "host.py: no refusal"
  expect 3 "" python3 examples/python/host.py "$choice" </dev/null
}

without_std() {
  say "without std, for a target that has none, and a host with the three hooks"
  local target=x86_64-unknown-none
  rustc --print target-libdir --target $target | xargs test -d 2>/dev/null || rustup target add $target >/dev/null 2>&1 ||
    die "the target $target is not to be had"
  cargo rustc --quiet -p askgate-ffi --lib --profile capi --no-default-features --target $target --crate-type staticlib \
    --target-dir target
  gcc -std=c11 $warn -static -no-pie -Iinclude tests/c/embedded.c target/$target/capi/libaskgate.a -o "$out/embedded"
  "$out/embedded" | grep -q '"outcome":"answered"' || die "no answer without std"
  # Linked with nothing else, whole, it misses the hooks and no more.
  gcc -nostdlib -static -no-pie -Wl,--whole-archive target/$target/capi/libaskgate.a -o "$out/whole" 2>&1 |
    sed -n 's/.*undefined reference to `\([A-Za-z0-9_]*\).*/\1/p' | sort -u >"$out/undefined"
  printf 'askgate_hook_%s\n' abort alloc free | diff - "$out/undefined" || die "it needs more than the hooks"
}

cost() {
  say "what the interface costs"
  cargo rustc --quiet -p askgate-ffi --lib --profile capi --features bench-hooks --crate-type staticlib --target-dir "$out/bench"
  gcc -std=c11 -O2 $warn -Iinclude tests/c/cycle.c "$out/bench/capi/libaskgate.a" $libs -o "$out/cycle"
  # A busy machine may spoil one run; the interface is too dear if it always is.
  "$out/cycle" 1.15 || "$out/cycle" 1.15 || "$out/cycle" 1.15 || die "the interface costs too much"
}

checks() {
  need gcc gcc
  need g++ g++
  need valgrind valgrind
  need pkg-config pkg-config
  build_hooks
  install_it
  header
  readme
  symbols
  misuse
  examples
  without_std
  cost
}

slow() {
  say "Miri"
  rustup component add --toolchain nightly miri rust-src >/dev/null 2>&1 || die "Miri is not to be had"
  MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --quiet -p askgate-ffi --lib --target-dir target/miri
  say "ThreadSanitizer"
  RUSTFLAGS=-Zsanitizer=thread cargo +nightly test --quiet -Zbuild-std --target x86_64-unknown-linux-gnu -p askgate-ffi \
    --lib --target-dir target/tsan -- threads
}

parts=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  parts="$parts $1"
  shift
done
[ $# -eq 0 ] || shift
for part in ${parts:-vectors checks}; do
  case $part in
    vectors) vectors "$@" ;;
    checks | slow) "$part" ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
done

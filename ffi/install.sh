#!/bin/sh
# Builds the C libraries and installs them with the header and a pkg-config file, on systems with ELF libraries.
# Elsewhere, or where it is wanted, `cargo cinstall -p askgate-ffi --profile capi` (cargo-c) does the same.
#
#   ffi/install.sh [--prefix DIR] [--libdir DIR] [--destdir DIR]
#
#   --prefix   where it will be used, /usr/local by default
#   --libdir   the folder for libraries, PREFIX/lib by default
#   --destdir  a folder to put before all of these now, for packages
set -eu
cd "$(dirname "$0")/.."

prefix=/usr/local libdir= destdir=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$2 ;;
    --libdir) libdir=$2 ;;
    --destdir) destdir=$2 ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
  shift 2
done
libdir=${libdir:-$prefix/lib}

case $(uname -s) in
  Linux | *BSD | DragonFly | SunOS) ;;
  *) echo "This script knows ELF libraries alone; use cargo-c here." >&2; exit 1 ;;
esac

version=$(sed -n 's/^#define ASKGATE_VERSION "\(.*\)"$/\1/p' include/askgate.h)
major=${version%%.*} rest=${version#*.}
# Until 1.0 each minor version may break, so that its number belongs to the name.
if [ "$major" = 0 ]; then soname=libaskgate.so.0.${rest%%.*}; else soname=libaskgate.so.$major; fi

cargo rustc --quiet -p askgate-ffi --lib --profile capi -- -C link-arg=-Wl,-soname,"$soname"
built=${CARGO_TARGET_DIR:-target}/capi

install -d "$destdir$libdir/pkgconfig" "$destdir$prefix/include"
install -m 644 include/askgate.h "$destdir$prefix/include/askgate.h"
install -m 644 "$built/libaskgate.a" "$destdir$libdir/libaskgate.a"
install -m 755 "$built/libaskgate.so" "$destdir$libdir/libaskgate.so.$version"
strip --strip-debug "$destdir$libdir/libaskgate.a"
strip --strip-unneeded "$destdir$libdir/libaskgate.so.$version"
ln -sf "libaskgate.so.$version" "$destdir$libdir/$soname"
ln -sf "$soname" "$destdir$libdir/libaskgate.so"
cat >"$destdir$libdir/pkgconfig/askgate.pc" <<END
prefix=$prefix
libdir=$libdir
includedir=\${prefix}/include

Name: askgate
Description: Ask a person a structured question, and get exactly one honest end
Version: $version
Libs: -L\${libdir} -laskgate
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
END

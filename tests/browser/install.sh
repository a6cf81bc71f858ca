#!/bin/sh
# Installs the browser that the tests open pages in, where it is missing.
set -eu
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] && exit 0

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
fail() {
  echo "the browser tests need Chromium, which could not be installed: $1; set CHROMIUM to one you have" >&2
  exit 1
}

command -v apt-get > /dev/null || fail "there is no apt-get here"
as_root apt-get update -qq || fail "apt-get update failed"
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core \
  || fail "apt-get install chromium failed"

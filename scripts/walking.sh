# For scripts/walk-*: walks through the page in a real browser against the real program.
# walk NAME FOLDER [PRESET]: the files of tests/display/walk with NAME in theirs; pictures into FOLDER.
walk() {
  mkdir -p "$2"
  SCREENSHOTS=$(realpath "$2")
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  local build=$PWD/build/${3:-release}
  export SCREENSHOTS
  export TILEWARDEN_PROGRAM=${TILEWARDEN_PROGRAM:-$build/bin/tilewarden}
  export TILEWARDEN_PAGE=${TILEWARDEN_PAGE:-$build/share/tilewarden/page}
  npm --silent --prefix services/display run walk -- "$1"
}

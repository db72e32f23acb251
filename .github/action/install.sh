#!/bin/sh
# Puts an unzipped servlet-bench where the next step finds it. Output: home.
set -eu

# The unzipped folder itself, which a workflow names by its path.
if [ -d "${GITHUB_ACTION_PATH-}/simulations/target/lib" ]; then
  printf 'home=%s\n' "$GITHUB_ACTION_PATH" >>"$GITHUB_OUTPUT"
  exit
fi

place=${RUNNER_TEMP:?}/servlet-bench
mkdir -p "$place"
# A folder for this use of the action: another version may be here already.
fresh=$(mktemp -d "$place/.unpacked.XXXXXX")
zip=$fresh/servlet-bench.zip
version=${ACTION_REF-}
version=${version#refs/tags/}

if [ -n "${SERVLET_BENCH_ZIP-}" ]; then
  cp "$SERVLET_BENCH_ZIP" "$zip"
elif [ "${version#v[0-9]}" != "$version" ]; then
  # A release: the zip, and its checksum.
  from=${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:?}/releases/download/$version
  name=servlet-bench-${version#v}.zip
  curl --fail --silent --show-error --location --retry 3 --output "$zip" "$from/$name"
  curl --fail --silent --show-error --location --retry 3 --output "$zip.sha256" "$from/$name.sha256"
  echo "$(cut -d ' ' -f 1 "$zip.sha256")  $zip" | sha256sum --check --quiet
else
  # A branch or a commit: its own sources.
  printf '%s\n' "servlet-bench: building $GITHUB_ACTION_PATH"
  (cd "$GITHUB_ACTION_PATH" && mvn -B -ntp -q -Pdist package)
  cp "$GITHUB_ACTION_PATH"/target/servlet-bench-*.zip "$zip"
fi

# The JDK's own tool: a container may have no unzip.
(cd "$fresh" && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" --extract --file "$zip")
rm "$zip"
set -- "$fresh"/servlet-bench-*/
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "servlet-bench: the zip has no folder servlet-bench-VERSION, or several" >&2
  exit 1
fi
home=$place/$(basename "$1")
rm -rf "$home"
mv "$1" "$home"
rm -rf "$fresh"
printf 'home=%s\n' "$home" >>"$GITHUB_OUTPUT"

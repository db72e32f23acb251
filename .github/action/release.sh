#!/bin/sh
# Builds the zip, and puts it with its SHA-256 into the release of the tag that is being built.
set -eu

version=${GITHUB_REF_NAME:?}
mvn -B -ntp -Pdist package
cd target
zip=servlet-bench-${version#v}.zip
if [ ! -f "$zip" ]; then
  printf '%s\n' "there is no $zip: the version in pom.xml is not that of the tag $version" >&2
  exit 1
fi
sha256sum "$zip" >"$zip.sha256"
gh release create "$version" --repo "${GITHUB_REPOSITORY:?}" --verify-tag --generate-notes "$zip" "$zip.sha256"

#!/bin/sh
# Builds the zip, its SHA-256 and the notes, and makes the release of the tag that is being built.
set -eu

fail() {
  printf 'release: %s\n' "$1" >&2
  exit 1
}

version=${GITHUB_REF_NAME:?}
account=$(sed -n 's:.*<release.account>\([^<]*\)</release.account>.*:\1:p' pom.xml)
[ -n "$account" ] || fail "release.account in pom.xml is empty: name the account that publishes, and run ReleaseTest with -Dwrite.page=true"
[ "$account" = "${GITHUB_REPOSITORY%%/*}" ] || fail "release.account in pom.xml is $account, and this is $GITHUB_REPOSITORY"
mvn -B -ntp -Pdist package
cd target
name=servlet-bench-${version#v}
[ -f "$name.zip" ] || fail "there is no $name.zip: the version in pom.xml is not that of the tag $version"
gh release create "$version" --repo "$GITHUB_REPOSITORY" --verify-tag --notes-file "$name-notes.md" "$name.zip" "$name.zip.sha256"

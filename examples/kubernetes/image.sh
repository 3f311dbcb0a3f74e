#!/bin/sh
# image.sh PROGRAM [FILE]: an image of a static bohier alone, as the OCI archive FILE. It
# needs buildah, neither root nor a daemon, and fetches nothing; then it runs the image's
# program once. To a registry: buildah push … or skopeo copy oci-archive:FILE docker://…
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:?usage: image.sh PROGRAM [FILE]}; file=${2:-bohier.oci.tar}
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
dir=$(mktemp -d)
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$dir}" BUILDAH_ISOLATION=chroot
images() { buildah --storage-driver vfs --root "$dir/store" --runroot "$dir/run" "$@"; }
trap 'images rm -a >/dev/null 2>&1 || :; buildah unshare rm -rf "$dir" 2>/dev/null || rm -rf "$dir"' EXIT
mkdir "$dir/context"
cp "$program" "$dir/context/bohier"; cp "$certificates" "$dir/context/ca-certificates.crt"
images bud -q -f "$here/Containerfile" -t bohier "$dir/context" >/dev/null
images run "$(images from bohier)" /bohier --version
images push -q bohier "oci-archive:$file"

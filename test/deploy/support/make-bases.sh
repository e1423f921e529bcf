#!/usr/bin/env bash
# Makes the two base images of deploy/Containerfile without an image registry, which may be unreachable: the system is copied
# from this machine (a Debian), Node.js comes from the package registry. Usage: make-bases.sh FOLDER PODMAN...
set -euo pipefail
folder=$1
podman=("${@:2}")

installed() { # PACKAGE...: these packages and their dependencies
  apt-cache depends --recurse --installed --no-{suggests,recommends,conflicts,breaks,replaces,enhances} "$@" | grep '^[a-z]' | sort -u
}

copy() { # ROOT PATH...: the paths, and the files of the packages on standard input
  mkdir -p "$1"
  # /bin, /sbin and /lib are links into /usr, so take their files from /usr.
  { printf '%s\n' /bin /sbin /lib /lib64 /tmp "${@:2}" && { xargs dpkg -L 2>/dev/null || true; } | sed -E 's,^/(bin|sbin|lib|lib64)/,/usr&,'; } |
    grep -E '^/(bin|sbin|lib|lib64|usr|etc|var|tmp)(/|$)' | grep -vE '^/usr/share/(doc|man|locale|info|lintian)/' | sort -u |
    tar -c -C / --no-recursion --ignore-failed-read -T <(cut -c 2-) 2>/dev/null | tar -x -C "$1"
}

image() { # NAME ROOT
  echo "FROM scratch
COPY . /
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" | "${podman[@]}" build --quiet --tag "$1" --file - "$2"
}

mapfile -t essential < <(dpkg-query -W -f '${Package} ${Essential}\n' | awk '$2 == "yes" { print $1 }')
installed "${essential[@]}" apt mawk ca-certificates binutils libatomic1 libstdc++6 |
  copy "$folder/node" /etc/{passwd,group,nsswitch.conf,ld.so.cache,ssl/certs/ca-certificates.crt} /var/lib/dpkg/status \
    /etc/alternatives/awk /usr/bin/awk
echo '{ "private": true }' >"$folder/package.json"
npm install --silent --no-audit --no-fund --prefix "$folder" node@26
install -D "$folder/node_modules/node/bin/node" "$folder/node/usr/local/bin/node"
install -m 644 "$folder"/node_modules/node/node_modules/node-linux-*/LICENSE "$folder/node/usr/local/"
npm install --silent --no-audit --no-fund --global --prefix "$folder/node/usr/local" npm@11
image localhost/node "$folder/node"

printf '%s\n' base-files ca-certificates libc6 netbase tzdata | copy "$folder/run" /etc/{passwd,ssl/certs/ca-certificates.crt}
image localhost/run "$folder/run"

# Both commands in an image with nothing else in it.
#
#   docker build -t conform .
#   docker run --rm -e CONFORM_BASE_URL -e CONFORM_APP_TOKEN conform
#   docker run --rm -p 8443:8443 --entrypoint refserver conform --addr 0.0.0.0:8443 --app-token my-app
#
# deploy/compose.yaml also opens the fake's control plane. Reports leave the image
# through a mounted folder that user 65532 may write to. The version is that of the
# commit: build where .git is.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY . .
ARG TARGETOS TARGETARCH
# The image has no libc to link to, and no path of the builder stays in the programs.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags='-s -w' -o /image/usr/local/bin/ ./cmd/...
# refserver writes the authority that clients trust to /tmp by default. A new volume at /data takes
# over the mode of the folder, so that the image's user may write to it.
RUN mkdir -p /image/etc/ssl/certs && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ && mkdir -m 1777 /image/tmp /image/data

FROM scratch
COPY --from=build /image/ /
# A number, since Kubernetes cannot see whether a name is root.
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/conform"]

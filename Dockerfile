# The image of examples/jobs/kubernetes.yaml. Checked with a linter, but not built: this project was developed without a container runtime.
#   docker build --tag registry.example/facescan:0.1.0 .
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /package

FROM node:24-slim
COPY --from=build /package/facescan-cli-*.tgz /tmp/facescan.tgz
# Optional packages are for keyrings and for the sandbox; an import in a cluster needs neither.
RUN npm install --global --omit=optional /tmp/facescan.tgz && rm /tmp/facescan.tgz
USER node
ENTRYPOINT ["facescan"]

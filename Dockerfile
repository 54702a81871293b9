# The image of the jobs in examples/jobs. It runs as a user without rights and with a read-only file system.
#   docker build --tag registry.example/facescan:0.1.0 .
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && mkdir /package && npm pack --pack-destination /package

FROM node:24-slim
COPY --from=build /package/facescan-cli-*.tgz /tmp/facescan.tgz
# Optional packages are for keyrings, and for the sandbox on Node 20.
RUN npm install --global --omit=optional /tmp/facescan.tgz && rm /tmp/facescan.tgz
USER node
ENTRYPOINT ["facescan"]

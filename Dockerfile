# An image of Weir, made in the unpacked distribution: docker build -t weir .
# Any base will do that has a shell and a Java runtime of 17 or newer. PACKAGES are what disturbances need.
ARG BASE=eclipse-temurin:17-jre
FROM ${BASE}
ARG PACKAGES="stress-ng"
USER root
RUN if [ -n "${PACKAGES}" ]; then \
        apt-get update && apt-get install -y --no-install-recommends ${PACKAGES} && rm -rf /var/lib/apt/lists/*; \
    fi && mkdir -p /var/lib/weir && chown 1000:1000 /var/lib/weir && ln -s /opt/weir/weir /usr/local/bin/weir
COPY . /opt/weir
ENV HOME=/var/lib/weir
WORKDIR /var/lib/weir
USER 1000:1000
ENTRYPOINT ["/opt/weir/weir"]

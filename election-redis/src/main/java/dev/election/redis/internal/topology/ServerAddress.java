package dev.election.redis.internal.topology;

/** Where a server is, as the Sentinels name it. */
record ServerAddress(String host, int port) {

    @Override
    public String toString() {
        return host + ":" + port;
    }
}

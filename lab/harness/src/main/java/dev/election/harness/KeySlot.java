package dev.election.harness;

import java.nio.charset.StandardCharsets;

/** Where a Cluster keeps a key, as the specification of Redis Cluster has it: CRC16 of the key, or of what is in its first braces. */
public final class KeySlot {

    static final int COUNT = 16_384;

    private KeySlot() {}

    public static int of(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        String tag = open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte next : tag.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = ((crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021) & 0xffff;
            }
        }
        return crc % COUNT;
    }
}

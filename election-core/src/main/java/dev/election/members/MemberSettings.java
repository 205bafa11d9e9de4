package dev.election.members;

import java.util.HashMap;
import java.util.Map;

/**
 * What a process says of itself besides its node id and its elections.
 *
 * @param uri where its web server is reached, empty if it has none
 * @param managementUri where its management endpoints are reached if that is elsewhere, otherwise empty
 * @param version the version of its application, empty if unknown
 * @param zone where it runs, empty if unknown
 * @param metadata further descriptions by key
 * @param capabilities what it can do, with a text for each
 */
public record MemberSettings(
        String uri,
        String managementUri,
        String version,
        String zone,
        Map<String, String> metadata,
        Map<String, String> capabilities) {

    public MemberSettings {
        metadata = Map.copyOf(metadata);
        capabilities = Map.copyOf(capabilities);
    }

    /** Nothing. */
    public static MemberSettings none() {
        return new MemberSettings("", "", "", "", Map.of(), Map.of());
    }

    /** The same with other addresses. */
    public MemberSettings at(String newUri, String newManagementUri) {
        return new MemberSettings(newUri, newManagementUri, version, zone, metadata, capabilities);
    }

    /** The same with another version. */
    public MemberSettings version(String newVersion) {
        return new MemberSettings(uri, managementUri, newVersion, zone, metadata, capabilities);
    }

    /** The same in another zone. */
    public MemberSettings zone(String newZone) {
        return new MemberSettings(uri, managementUri, version, newZone, metadata, capabilities);
    }

    /** The same with another description, or without it if the value is empty. */
    public MemberSettings metadata(String key, String value) {
        return new MemberSettings(uri, managementUri, version, zone, changed(metadata, key, value), capabilities);
    }

    /** The same with a capability. */
    public MemberSettings capability(String name, String text) {
        Map<String, String> more = new HashMap<>(capabilities);
        more.put(name, text);
        return new MemberSettings(uri, managementUri, version, zone, metadata, more);
    }

    private static Map<String, String> changed(Map<String, String> metadata, String key, String value) {
        Map<String, String> changed = new HashMap<>(metadata);
        if (value.isEmpty()) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return changed;
    }
}

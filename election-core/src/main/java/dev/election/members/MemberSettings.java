package dev.election.members;

import java.util.HashMap;
import java.util.Map;

/**
 * The description of a process for other members, besides its node id and its elections.
 *
 * @param uri where its web server is reached, empty if it has none
 * @param managementUri where its management endpoints are reached if that is elsewhere, otherwise empty
 * @param version the version of its application, empty if unknown
 * @param zone where it runs, empty if unknown
 * @param metadata further descriptions by key
 * @param capabilities its capabilities by name, with a text for each
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

    /** Returns an empty description. */
    public static MemberSettings none() {
        return new MemberSettings("", "", "", "", Map.of(), Map.of());
    }

    /** Returns this description with other addresses. */
    public MemberSettings at(String newUri, String newManagementUri) {
        return new MemberSettings(newUri, newManagementUri, version, zone, metadata, capabilities);
    }

    /** Returns this description with another version. */
    public MemberSettings version(String newVersion) {
        return new MemberSettings(uri, managementUri, newVersion, zone, metadata, capabilities);
    }

    /** Returns this description with another zone. */
    public MemberSettings zone(String newZone) {
        return new MemberSettings(uri, managementUri, version, newZone, metadata, capabilities);
    }

    /** Returns this description with another value of a key, or without the key if the value is empty. */
    public MemberSettings metadata(String key, String value) {
        return new MemberSettings(uri, managementUri, version, zone, changed(metadata, key, value), capabilities);
    }

    /** Returns this description with a capability. */
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

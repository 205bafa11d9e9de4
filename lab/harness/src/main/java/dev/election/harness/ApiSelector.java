package dev.election.harness;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A selector: the values that each of some labels may have, or the name.
 *
 * @param name empty for any
 */
record ApiSelector(Map<String, List<String>> values, String name) {

    /** Valid values of a label. */
    static final String VALUE = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

    private static final Pattern LEASES =
            Pattern.compile(("election\\.dev/prefix=(V)" + "(?:,election\\.dev/folder(?:=(V)| in \\((V(?:,V)*)\\)))?")
                    .replace("V", VALUE));
    private static final Pattern PODS = Pattern.compile("(election\\.dev/V)=leader".replace("V", VALUE));

    private static final Pattern NAME = Pattern.compile("metadata\\.name=([-a-z0-9.]+)");

    static ApiSelector of(ApiRequest request) {
        String field = request.query().get("fieldSelector");
        if (field != null) {
            Matcher name = NAME.matcher(field);
            ApiRequest.refuseUnless(name.matches(), "the selector " + field);
            return new ApiSelector(Map.of(), name.group(1));
        }
        String text = request.query().getOrDefault("labelSelector", "");
        Map<String, List<String>> values = new HashMap<>();
        Matcher pods = PODS.matcher(text);
        Matcher leases = LEASES.matcher(text);
        if (request.verb().isAboutPods()) {
            ApiRequest.refuseUnless(pods.matches(), "the selector " + text);
            values.put(pods.group(1), List.of("leader"));
        } else {
            ApiRequest.refuseUnless(leases.matches(), "the selector " + text);
            values.put("election.dev/prefix", List.of(leases.group(1)));
            String folders = leases.group(2) == null ? leases.group(3) : leases.group(2);
            if (folders != null) {
                values.put("election.dev/folder", List.of(folders.split(",", -1)));
            }
        }
        return new ApiSelector(values, "");
    }

    boolean matches(JsonNode object) {
        JsonNode labels = object.at("/metadata/labels");
        if (!name.isEmpty() && !object.at("/metadata/name").asString("").equals(name)) {
            return false;
        }
        return values.entrySet().stream().allMatch(one -> one.getValue()
                .contains(labels.path(one.getKey()).asString("")));
    }
}

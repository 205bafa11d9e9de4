package dev.election.harness;

/** What a request to the Kubernetes API asks for. */
public enum ApiVerb {
    READ("get"),
    LIST("list"),
    WATCH("watch"),
    CREATE("create"),
    PATCH("patch"),
    DELETE("delete"),
    LIST_PODS("list"),
    PATCH_POD("patch");

    private final String right;

    ApiVerb(String right) {
        this.right = right;
    }

    /** Verb of the right that it needs. */
    String right() {
        return right;
    }

    boolean isAboutPods() {
        return this == LIST_PODS || this == PATCH_POD;
    }
}

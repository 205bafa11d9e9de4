package dev.election.internal.succession;

import dev.election.members.Member;
import java.util.Collection;
import java.util.regex.Pattern;

/** Versions of applications that consist of numbers, such as 1.10.2. */
final class Versions {

    private static final Pattern COMPARABLE = Pattern.compile("\\d{1,18}(\\.\\d{1,18}){0,7}");

    private Versions() {}

    /** Whether each of these members has a version that can be compared: a mixture would have no order. */
    static boolean areComparable(Collection<Member> members) {
        return members.stream().map(Member::version).distinct().allMatch(version -> COMPARABLE
                .matcher(version)
                .matches());
    }

    /** Compares two versions part by part; a missing part counts as 0. */
    static int compare(String one, String other) {
        if (one.equals(other)) {
            return 0;
        }
        String[] left = one.split("\\.");
        String[] right = other.split("\\.");
        for (int i = 0; i < Math.max(left.length, right.length); i++) {
            int difference = Long.compare(part(left, i), part(right, i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private static long part(String[] parts, int index) {
        return index < parts.length ? Long.parseLong(parts[index]) : 0;
    }
}

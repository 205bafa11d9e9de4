package dev.election.internal.members;

import dev.election.Election;
import dev.election.members.MemberRole;
import dev.election.support.PartitionName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Format of the roles of a member in the partitions of a group: a hexadecimal digit for two partitions, so that those of the largest group take 128
 * characters. Two bits say the role: none, leader, candidate, observer.
 */
public final class GroupRoles {

    private static final MemberRole[] ROLES = {MemberRole.LEADER, MemberRole.CANDIDATE, MemberRole.OBSERVER};

    private GroupRoles() {}

    /** Takes the roles in a group out of those of a member, and writes them. */
    static String take(String group, Map<String, MemberRole> roles) {
        StringBuilder digits = new StringBuilder();
        for (int index = 0; index < PartitionName.MOST; index += 2) {
            int high = bits(roles.remove(PartitionName.of(group, index)));
            int low = bits(roles.remove(PartitionName.of(group, index + 1)));
            digits.append(Character.forDigit(high << 2 | low, 16));
        }
        return digits.toString().replaceAll("0+$", "");
    }

    private static int bits(@Nullable MemberRole role) {
        for (int i = 0; i < ROLES.length; i++) {
            if (ROLES[i] == role) {
                return i + 1;
            }
        }
        return 0;
    }

    /** Reads the roles in a group into those of a member. A form that this version does not know is skipped. */
    static void read(String group, String text, Map<String, MemberRole> roles) {
        boolean isGroup = !group.isEmpty() && Election.isName(PartitionName.of(group, PartitionName.MOST - 1));
        if (text.length() > PartitionName.MOST / 2 || !isGroup) {
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return;
            }
        }
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            put(PartitionName.of(group, 2 * i), digit >> 2, roles);
            put(PartitionName.of(group, 2 * i + 1), digit & 3, roles);
        }
    }

    private static void put(String election, int bits, Map<String, MemberRole> roles) {
        if (bits > 0) {
            roles.put(election, ROLES[bits - 1]);
        }
    }
}

package dev.election.redis.client;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** Notifications of a server about its maintenance. Lettuce 7 subscribes to them; Lettuce 6.8, that of Spring Boot 4.0, has no class for them. */
final class MaintenanceNotifications {

    private static final boolean ARE_KNOWN = areKnown();

    private MaintenanceNotifications() {}

    /**
     * Switches the notifications off: each handshake would wait for the answer to their subscription, and a server that knows them could
     * relax the time-outs.
     */
    static void disable(ClientOptions.Builder options) {
        if (ARE_KNOWN) {
            Disabling.apply(options);
        }
    }

    private static boolean areKnown() {
        try {
            Class.forName("io.lettuce.core.MaintNotificationsConfig", false, ClientOptions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException earlierLettuce) {
            return false;
        }
    }

    /** Names the class, so it is loaded only where that exists. */
    private static final class Disabling {

        private static void apply(ClientOptions.Builder options) {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }
}

package dev.election.faults.bridge;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.faults.node.StoreAddress;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.bridge.Bridge;
import dev.election.redis.bridge.BridgeSettings;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A node of the election, with the bridge or without, in a process of its own. */
final class NewNode {

    private final NodeMain main;
    private final @Nullable Bridge bridge;
    private final RedisLeaseStore store;
    private final ElectionEngine engine;

    private NewNode(NodeMain main, boolean bridged) {
        this.main = main;
        Pace pace = main.pace();
        RedisAccess access = new StoreAddress(StoreAddress.Kind.SERVER, List.of(main.port())).access();
        this.bridge = bridged
                ? Bridge.open(access, BridgeSettings.of(ReplacedElection.KEY).ttl(pace.ttl()), pace.lease())
                : null;
        this.store = RedisLeaseStore.open(access, "faults", pace.lease());
        LeaseStore used = bridge == null ? store : bridge.decorate(store);
        this.engine = ElectionEngine.over(used)
                .as(new NodeInfo(main.id(), "127.0.0.1"))
                .timing(new Timing(pace.lease(), pace.renewEvery(), Duration.ofSeconds(1)))
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        NodeMain main = NodeMain.of(arguments);
        NewNode node = new NewNode(main, arguments[8].equals("bridged"));
        Election election = node.engine.get(Election.DEFAULT);
        main.run(election::isLeader, node.engine::start, node::stop, node::obey);
    }

    private void stop() {
        engine.close();
        if (bridge != null) {
            bridge.close();
        }
        store.close();
    }

    private void obey(String command) {
        if (bridge == null) {
            throw new IllegalArgumentException(command);
        }
        String[] words = command.split(" ", -1);
        switch (words[0]) {
            case "status" ->
                main.say("status " + bridge.status().state() + " "
                        + bridge.status().oldMaster());
            case "abdicate" -> {
                CompletionStage<Void> unused = engine.get(Election.DEFAULT)
                        .abdicate(Abdication.toAnyone())
                        .thenAccept(outcome -> main.say("abdicated"));
            }
            case "takeover" -> {
                CompletionStage<Void> unused = bridge.takeOver(main.id(), words[1])
                        .thenAccept(
                                reply -> main.say("takeover " + reply.getClass().getSimpleName()));
            }
            default -> throw new IllegalArgumentException(command);
        }
    }
}

package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.ApiServer;
import dev.election.harness.StrictApiServer;
import org.junit.jupiter.api.AfterAll;

/** The contracts over a server that answers what the store says as a real one does, and refuses everything else. */
class StoreOnStrictServerTest extends StoreOnApiServerContract {

    @Override
    ApiServer open() {
        return new StrictApiServer();
    }

    @Override
    @AfterAll
    void close() {
        super.close();
        assertThat(((StrictApiServer) server).refusals()).isEmpty();
    }
}

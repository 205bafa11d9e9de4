package dev.election.autoconfigure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebAddressTest {

    @ParameterizedTest
    @CsvSource({
        "node-1, node-1",
        "10.0.3.7, 10.0.3.7",
        "10.0.3.7:8080, 10.0.3.7",
        "node-1.example:8080, node-1.example",
        "fe80::7, [fe80::7]",
        "[fe80::7], [fe80::7]",
        "[fe80::7]:8080, [fe80::7]"
    })
    void the_host_is_that_of_the_address_without_its_port(String address, String host) {
        assertThat(WebAddress.host(address)).isEqualTo(host);
    }
}

package dev.election.kubernetes.autoconfigure;

import dev.election.autoconfigure.DocumentedProperties;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class KubernetesPropertiesTest {

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        DocumentedProperties.areThoseOfTheMetadata(name -> name.startsWith("election.kubernetes."));
    }
}

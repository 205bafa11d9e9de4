package dev.election.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ForwardingLeaseStoreTest {

    /** A capability that is not passed on would be lost by every decorator. */
    @Test
    void passes_on_every_method_of_a_store() {
        assertThat(Arrays.stream(LeaseStore.class.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers())))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(ForwardingLeaseStore.class.getDeclaredMethod(
                                method.getName(), method.getParameterTypes()))
                        .isNotNull());
    }
}

package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.Elections;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

@RealTime
class LeaderEndpointJmxTest {

    private static final String ALL = "java.lang.String";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @AutoClose
    private OperatedApplication application;

    private ObjectName endpoint;
    private Election leader;

    @Test
    void shows_elections_and_makes_a_leader_on_another_node_abdicate() throws JMException {
        start("management.endpoint.leader.access=unrestricted");
        Map<?, ?> all = (Map<?, ?>) invoke("elections");
        assertThat(((Map<?, ?>) all.get("node")).get("id")).isEqualTo("app");
        Map<?, ?> one = (Map<?, ?>) invoke("election", "default");
        assertThat(one.get("role")).isEqualTo("FOLLOWER");
        assertThat(((Map<?, ?>) one.get("leader")).get("node")).isEqualTo("first");
        assertThat(((List<?>) one.get("leaderships"))).hasSize(1);

        Map<?, ?> report = (Map<?, ?>) invoke("abdicate", "default", null, "10s", null, null, null);
        assertThat(report.get("outcome")).isEqualTo("RELEASED");
        assertThat(((Map<?, ?>) report.get("leader")).get("node")).isEqualTo("app");
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    void says_why_not() throws JMException {
        start("management.endpoint.leader.access=unrestricted");
        assertThat((Map<?, ?>) invoke("election", "nonsense"))
                .hasToString("{error=This node takes part in no election 'nonsense', elections=[default]}");
        assertThat(((Map<?, ?>) invoke("abdicate", "default", null, "soon", null, null, null)).get("error"))
                .asString()
                .startsWith("cooldown:");
    }

    @Test
    void writes_are_off_unless_the_application_opens_them() throws JMException {
        start();
        assertThat(Arrays.stream(server.getMBeanInfo(endpoint).getOperations()).map(operation -> operation.getName()))
                .contains("elections", "election")
                .doesNotContain("abdicate", "run");
    }

    private void start(String... properties) throws JMException {
        String domain = "test-" + System.identityHashCode(this);
        String[] all = Arrays.copyOf(properties, properties.length + 5);
        all[properties.length] = "spring.jmx.enabled=true";
        all[properties.length + 1] = "management.endpoints.jmx.exposure.include=leader";
        all[properties.length + 2] = "management.endpoints.jmx.domain=" + domain;
        all[properties.length + 3] = "spring.autoconfigure.exclude=" + Excluded.SECURITY;
        all[properties.length + 4] = "spring.jmx.default-domain=" + domain;
        application = new OperatedApplication(all);
        leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        application.start(WebApplicationType.NONE);
        Nodes.await("this node follows").until(() -> application
                .bean(Elections.class)
                .get("default")
                .leader()
                .isPresent());
        endpoint = new ObjectName(domain + ":type=Endpoint,name=Leader");
    }

    private Object invoke(String operation, Object... arguments) throws JMException {
        String[] types = new String[arguments.length];
        Arrays.fill(types, ALL);
        return server.invoke(endpoint, operation, arguments, types);
    }
}

package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.election.autoconfigure.internal.actuate.NodeOverview.NodeMembers;
import dev.election.autoconfigure.internal.actuate.NodeOverview.Present;
import dev.election.autoconfigure.internal.actuate.members.MembersCopyView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class NodeOverviewTest {

    /** With management.endpoints.jackson.isolated-json-mapper=false the mapper of the application writes it. */
    @ParameterizedTest
    @EnumSource(names = {"ALWAYS", "NON_NULL", "NON_EMPTY", "NON_DEFAULT"})
    void members_are_shown_also_without_any_whatever_the_application_includes(Include included) {
        JsonMapper json = JsonMapper.builder()
                .changeDefaultPropertyInclusion(unset -> JsonInclude.Value.construct(included, included))
                .build();
        NodeView node = new NodeView("app-1", "", Map.of());
        Present present = new Present(Instant.EPOCH, false, "memory", null);
        NodeMembers none = new NodeMembers(List.of(), Map.of(), new MembersCopyView(true, "0 ms", true));

        assertThat(json.writeValueAsString(new NodeOverview(node, present, Map.of(), Map.of(), none, null)))
                .contains("\"elections\":{},\"members\":[],\"drains\":{},\"membersCopy\":{");
    }
}

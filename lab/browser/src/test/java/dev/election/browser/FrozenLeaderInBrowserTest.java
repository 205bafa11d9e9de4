package dev.election.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.InBrowser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of two replicas with long ids. The leader may stand still. */
@InBrowser
class FrozenLeaderInBrowserTest {

    private static final String HEADLINE = ".title .mark";

    @AutoClose
    private static final Replicas replicas = new Replicas();

    private static List<ReplicaProcess> both;

    @AutoClose
    private final Browser browser = new Browser();

    /** With a lease that outlasts the test. */
    @BeforeAll
    static void start() {
        both = List.of(
                start("billing_service_of_the_payments_department_7d9f8b6c5d_x2x9z"),
                start("billing_service_of_the_payments_department_7d9f8b6c5d_kq4tp"));
        both.forEach(ReplicaProcess::awaitStarted);
    }

    private static ReplicaProcess start(String id) {
        return replicas.start(
                id,
                "election.elections.default.lease=60s",
                "election.node.address=billing-service-7d9f8b6c5d.payments.svc.cluster.local:8080");
    }

    @Test
    void force_is_offered_after_an_abdication_without_reaction_and_wants_the_name_of_the_election() {
        ReplicaProcess leader = leader();
        ReplicaProcess other = other(leader);
        browser.open(other.page() + "#/elections/default");
        browser.awaitText(HEADLINE, leader.id() + " leads");
        assertThat(browser.text(".actions")).isEqualTo("Give up… Hand over…");
        leader.freeze();
        browser.button("Give up…").click();
        browser.button("Give up").click();
        browser.awaitText(".progress", "\"Force…\" is offered now");
        browser.button("Close").click();
        browser.button("Force…").click();
        assertThat(browser.text("dialog"))
                .contains("A node that hangs can't be told")
                .contains("fencing token");
        for (int width : List.of(1280, 390)) {
            for (boolean isDark : List.of(false, true)) {
                browser.show(width, isDark);
                assertThat(browser.barriers()).isEmpty();
                browser.screenshot("force-" + width + (isDark ? "-dark" : "-light"), false);
            }
        }
        assertThat(browser.find("dialog button[type=submit]").isEnabled()).isFalse();
        browser.find("dialog input[name=typed]").sendKeys("defaul");
        assertThat(browser.find("dialog button[type=submit]").isEnabled()).isFalse();
        browser.find("dialog input[name=typed]").sendKeys("t");
        browser.find("dialog input[name=reason]").sendKeys("it hangs");
        browser.button("Force").click();
        browser.awaitText(".progress", other.id() + " leads now. It took");
        browser.button("Close").click();
        browser.awaitText(HEADLINE, other.id() + " leads");
        browser.awaitGone(".actions .danger");
        leader.thaw();
        browser.awaitText("table[aria-label=Leaderships]", "lease was taken away");
        browser.assertNothingWrong("Failed to load resource");
    }

    @Test
    void long_names_are_not_wider_than_a_telephone() {
        String leader = leader().id();
        browser.show(390, false);
        browser.open(both.get(0).page() + "#/elections/default");
        browser.awaitText(HEADLINE, leader);
        browser.button("Hand over…").click();
        assertFits("dialog");
        browser.find("dialog input[name=reason]").sendKeys("x".repeat(100));
        browser.button("Hand over").click();
        browser.awaitText(".progress", "It took");
        assertFits("progress");
        browser.button("Close").click();
        browser.awaitText("table[aria-label=Leaderships]", "asked by");
        browser.find("#moment").sendKeys(String.valueOf(browser.run("return new Date().toTimeString().slice(0, 8)")));
        browser.awaitText("output", " led at ");
        assertFits("election");
        browser.choose("header select", "30");
        browser.awaitText(".lease", "when asked");
        assertFits("asked-rarely");
        Map.of("overview", "", "members", "#/members", "jobs", "#/jobs").forEach((name, view) -> {
            browser.open(both.get(0).page() + view);
            if (name.equals("jobs")) {
                browser.awaitText(".jobs", "billing");
                browser.find(".job").click();
            }
            browser.awaitText("main", leader);
            assertFits(name);
        });
        browser.assertNothingWrong();
    }

    /** That nothing but the row of views, which scrolls, is cut off. */
    private void assertFits(String name) {
        browser.screenshot("long-names-" + name + "-390-light", !browser.has("dialog"));
        assertThat(browser.run(
                        "return [...document.body.querySelectorAll('*')].filter(each => !each.closest('nav, thead, .unseen')"
                                + " && each.getBoundingClientRect().right > innerWidth).map(each => each.outerHTML)"))
                .as(name)
                .isEqualTo(List.of());
        assertThat(browser.run("return document.documentElement.scrollWidth"))
                .as(name)
                .isEqualTo(390L);
    }

    private ReplicaProcess leader() {
        browser.open(both.get(0).page() + "#/elections/default");
        browser.awaitText(HEADLINE, " leads");
        String id = browser.text(HEADLINE).replace(" leads", "");
        return both.stream().filter(each -> each.id().equals(id)).findAny().orElseThrow();
    }

    private static ReplicaProcess other(ReplicaProcess than) {
        return both.stream().filter(each -> each != than).findAny().orElseThrow();
    }
}

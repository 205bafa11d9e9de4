package dev.election.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.InBrowser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page of three real replicas. */
@InBrowser
class ReplicasInBrowserTest {

    private static final String LEADER = "[data-key=default] td[data-title=Leader]";
    private static final String STORE = "section[aria-labelledby=store-title]";
    private static final String HEADLINE = ".title .mark";
    private static final String FAILED_TO_LOAD = "Failed to load resource";

    @AutoClose
    private static final Replicas replicas = new Replicas();

    private static final Map<String, ReplicaProcess> running = new TreeMap<>();

    @AutoClose
    private static final Browser browser = new Browser();

    /** Each test finds three that run, whose pages ask every second. */
    @BeforeEach
    void start() {
        browser.show(1280, false);
        List<String> absent = Stream.of("app-1a", "app-2b", "app-3c")
                .filter(id -> !running.containsKey(id) || !running.get(id).isAlive())
                .toList();
        absent.forEach(id -> running.put(id, start(id)));
        for (String id : absent) {
            browser.open(running.get(id).awaitStarted().page());
            browser.awaitText("main", "default");
            browser.choose("header select", "1");
        }
        browser.forgetComplaints();
    }

    private static ReplicaProcess start(String id, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("election.node.metadata.note=<img src=x onerror=document.title=1>");
        all.add("election.node.uri=" + (id.equals("app-3c") ? "javascript:alert(1)" : "http://127.0.0.1:1"));
        return replicas.start(id, all.toArray(String[]::new));
    }

    @Test
    void all_three_pages_show_the_same_leader() {
        String leader = leader();
        for (ReplicaProcess replica : running.values()) {
            browser.open(replica.page());
            browser.awaitText(LEADER, leader);
            browser.awaitText(".seen-by", replica.id());
            browser.open(replica.page() + "#/elections/default");
            browser.awaitText(HEADLINE, leader + " leads");
            browser.awaitText(STORE, leader);
            browser.assertNothingWrong();
        }
    }

    @Test
    void a_group_of_partitions_is_one_row_with_a_bar_and_each_partition_opens_as_an_election() {
        browser.open(running.get("app-1a").page());
        browser.awaitRun("return document.querySelectorAll('[data-key=orders] .share rect:not(.gap)').length === 3");
        assertThat(browser.text("[data-key=orders]")).contains("16 partitions", "app-1a", "app-2b", "app-3c");
        assertThat(browser.has("[data-key^='orders.']")).isFalse();
        browser.find("[data-key=orders] th a").click();
        browser.awaitText("table[aria-label='Leaders of partitions'] tbody", "app-3c");
        browser.find("a[href='#/elections/orders.3']").click();
        browser.awaitText(HEADLINE, " leads");
        browser.awaitText(STORE, browser.text(HEADLINE).replace(" leads", ""));
        browser.awaitText("table[aria-label='Order of succession'] tbody", "2. in line");
        assertThat(browser.text(".back")).contains("All partitions of orders");
        browser.assertNothingWrong();
    }

    @Test
    void a_reload_keeps_the_view_and_the_interval() {
        browser.open(other(leader()).page() + "#/elections/default");
        browser.awaitText("h1", "default");
        browser.reload();
        browser.awaitText("h1", "default");
        assertThat(browser.find("header select").getDomProperty("value")).isEqualTo("1");
    }

    @Test
    void a_survivor_shows_the_gap_after_a_kill_and_then_the_new_leader() {
        ReplicaProcess leader = running.get(leader());
        ReplicaProcess survivor = other(leader.id());
        browser.open(survivor.page() + "#/elections/default");
        browser.awaitText(HEADLINE, leader.id() + " leads");
        leader.kill();
        browser.awaitText(HEADLINE, leader.id() + " led, and has not renewed its lease in time");
        browser.awaitText(HEADLINE, " leads");
        String next = browser.text(HEADLINE).replace(" leads", "");
        assertThat(next).isNotEqualTo(leader.id());
        browser.awaitText("table[aria-label=Leaderships] tbody", next + " took over");
        assertThat(browser.text("table[aria-label=Leaderships] tbody")).contains("Nobody", "lease ran out");
        // The next answer of the overview announces it.
        browser.awaitText("#announcer", next + " leads default.");
        assertThat(browser.has(".timeline .gap rect")).isTrue();
        browser.button("All that is kept").click();
        for (boolean isDark : List.of(false, true)) {
            browser.show(1280, isDark);
            browser.screenshot("after-a-kill-1280" + (isDark ? "-dark" : "-light"), false);
        }
        browser.assertNothingWrong();
    }

    @Test
    void leadership_is_handed_over_by_mouse() {
        String before = leader();
        String next = other(before).id();
        Object colours = colours(running.get("app-1a"));
        browser.open(other(before).page() + "#/elections/default");
        browser.awaitText(HEADLINE, before + " leads");
        browser.button("Hand over…").click();
        browser.choose("dialog select", next);
        browser.find("dialog input[name=reason]").sendKeys("disk of eu-1");
        browser.button("Hand over").click();
        browser.awaitText(".progress", "Requested that " + before + " gives up the leadership of default.");
        browser.awaitText(".progress", next + " leads now. It took");
        browser.button("Close").click();
        browser.awaitText(HEADLINE, next + " leads");
        browser.awaitText("table[aria-label=Leaderships] tbody", "gave up leadership, asked by");
        browser.awaitText("table[aria-label=Leaderships] tbody", "(disk of eu-1) at");
        assertThat(running.values()).as("a node has one colour").allSatisfy(replica -> assertThat(colours(replica))
                .isEqualTo(colours));
        browser.assertNothingWrong();
    }

    /** By node, as the list of the members shows them. */
    private static Object colours(ReplicaProcess asked) {
        browser.open(asked.page() + "#/members");
        browser.awaitText("tbody", "app-3c");
        return browser.run("return Object.fromEntries([...document.querySelectorAll('tbody .node')].map(node =>"
                + " [node.querySelector('.id').textContent,"
                + " getComputedStyle(node.querySelector('.dot')).backgroundColor]))");
    }

    @Test
    void leadership_is_handed_over_by_keyboard_alone() {
        String before = leader();
        String next = other(before).id();
        browser.open(running.get(before).page());
        browser.awaitText(LEADER, before);
        tabTo("default");
        browser.focused().sendKeys(Keys.ENTER);
        browser.awaitText(HEADLINE, before + " leads");
        tabTo("Hand over…");
        browser.focused().sendKeys(Keys.ENTER);
        assertThat(browser.focused().getTagName()).isEqualTo("select");
        browser.focused().sendKeys(next);
        tabTo("Hand over");
        browser.focused().sendKeys(Keys.ENTER);
        browser.awaitText(".progress", next + " leads now. It took");
        assertThat(browser.focused().getText()).isEqualTo("Close");
        browser.focused().sendKeys(Keys.ESCAPE);
        browser.awaitGone("dialog");
        browser.awaitText(HEADLINE, next + " leads");
        browser.assertNothingWrong();
    }

    @Test
    void a_member_is_drained_and_leads_again() {
        String drained = leader();
        ReplicaProcess other = other(drained);
        browser.open(other.page() + "#/members");
        browser.find("input[type=search]").sendKeys(drained);
        browser.button("Drain…").click();
        browser.find("dialog input[name=reason]").sendKeys("new kernel");
        browser.button("Drain").click();
        browser.awaitText(".progress", "It hands over what it leads after its running work");
        browser.button("Close").click();
        browser.awaitText("tbody", "drained");
        browser.screenshot("drained-1280-light", false);
        Awaitility.await("another leader").until(() -> !leader().equals(drained));
        browser.awaitText("main", "drained by");
        assertThat(browser.text("main")).contains("(new kernel) at " + other.id());
        browser.open(other.page() + "#/members");
        browser.find("input[type=search]").sendKeys(drained);
        browser.button("Let it lead again…").click();
        browser.button("Let it lead again").click();
        browser.awaitText(".progress li", ".");
        browser.button("Close").click();
        browser.awaitText("tbody", "active");
        browser.assertNothingWrong();
    }

    @Test
    void an_order_to_drain_a_node_that_is_not_there_is_shown_and_revoked() {
        String absent = "section[aria-labelledby=absent-title]";
        browser.open(running.get("app-1a").page() + "#/members");
        browser.awaitText("tbody", "app-1a");
        assertThat(browser.run("return fetch('leader/members/gone', {method: 'POST',"
                        + " headers: {'Content-Type': 'application/json'}, body: JSON.stringify("
                        + "{state: 'drained', reason: 'sold', evenIfAbsent: true})}).then(answer => answer.status)"))
                .isEqualTo(200L);
        browser.awaitText(absent, "gone");
        assertThat(browser.text(absent)).contains("(sold) at app-1a");
        for (int width : List.of(1280, 390)) {
            browser.show(width, false);
            browser.screenshot("absent-" + width + "-light", true);
            assertThat(browser.barriers()).isEmpty();
        }
        browser.find(absent + " button.link").click();
        browser.button("Let it lead again").click();
        browser.awaitText(".progress", "It may lead again");
        browser.button("Close").click();
        browser.awaitGone(absent);
        browser.assertNothingWrong();
    }

    @Test
    void running_work_is_told_until_it_ends() {
        ReplicaProcess leader = running.get(leader());
        assertThat(leader.work()).isTrue();
        browser.open(leader.page() + "#/elections/default");
        browser.awaitText(HEADLINE, leader.id() + " leads");
        browser.button("Give up…").click();
        browser.find("dialog input[name=drain]").sendKeys("1m");
        browser.button("Give up").click();
        browser.awaitText(".progress", leader.id() + " still leads, and 1 piece of its work runs.");
        assertThat(browser.text(".progress")).doesNotContain("It took");
        leader.rest();
        browser.awaitText(".progress", leader.id() + " has released its leadership");
        browser.screenshot("progress-1280-light", false);
        browser.assertNothingWrong();
    }

    @Test
    void an_invalid_time_is_answered_with_the_reason() {
        browser.open(other(leader()).page() + "#/elections/default");
        browser.button("Give up…").click();
        browser.find("dialog input[name=drain]").sendKeys("soon");
        browser.button("Give up").click();
        browser.awaitText(".progress", "drain: must be a duration");
        browser.assertNothingWrong(FAILED_TO_LOAD);
    }

    @Test
    void what_is_known_without_the_store_is_marked_as_such() {
        String leader = leader();
        browser.open(other(leader).page() + "#/elections/default");
        browser.awaitText("table[aria-label=Leaderships] tbody tr", leader);
        replicas.redis().freeze();
        try {
            browser.awaitText(".notices", "The store has not answered this node since");
            browser.awaitText(STORE, "The store can't be read");
            // A follower forgets the leader when its lease has ended: it is never shown as one that leads.
            browser.awaitText(HEADLINE, "No leader");
            assertThat(browser.text("table[aria-label=Leaderships] tbody tr"))
                    .startsWith(leader)
                    .contains("led when the store was last read")
                    .doesNotContain("now");
            assertThat(browser.find(".timeline").getDomProperty("textContent")).doesNotContain("now");
            assertThat(browser.text("table[aria-label='Order of succession']")).contains("led, as last known");
            browser.screenshot("without-the-store-1280-light", true);
            browser.run("location.hash = '#/'");
            browser.awaitText("[data-key=default]", "No leader");
            browser.run("location.hash = '#/checks'");
            browser.awaitText("section[aria-labelledby=present-title]", "default, orders, reports");
            assertThat(browser.run("return document.querySelectorAll('.problem.bad').length"))
                    .as("cards of one incident of two elections and a group")
                    .isEqualTo(1L);
            assertThat(browser.text("nav .count")).startsWith("2");
            browser.screenshot("incident-1280-light", true);
        } finally {
            replicas.redis().thaw();
        }
        browser.run("location.hash = '#/elections/default'");
        browser.awaitText(HEADLINE, "leads");
        browser.awaitGone(".notice");
        browser.awaitText("table[aria-label=Leaderships] tbody tr", "now");
        browser.assertNothingWrong();
    }

    @Test
    void a_node_that_ends_leaves_what_it_said_marked_as_old_until_it_is_back() {
        ReplicaProcess asked = other(leader());
        browser.open(asked.page());
        browser.awaitText(LEADER, "app-");
        asked.kill();
        browser.awaitText(".notices", asked.id() + " has not answered since");
        assertThat(browser.text(".notices")).contains("What you see is from then.");
        assertThat(browser.text(LEADER)).contains("last known, may be wrong");
        browser.screenshot("without-the-node-1280-light", false);
        ReplicaProcess again = start(asked.id(), "server.port=" + asked.port());
        running.put(asked.id(), again.awaitStarted());
        browser.awaitText(".live", "answered");
        browser.awaitGone(".notice");
        browser.assertNothingWrong(FAILED_TO_LOAD);
    }

    @Test
    void who_led_at_a_time_is_one_typed_time() {
        browser.open(other(leader()).page() + "#/elections/default");
        browser.awaitText("#history-title", "Who led");
        browser.find("#moment").sendKeys("2020-01-01 03:00");
        assertThat(browser.text("output")).isEqualTo("The store keeps no leadership from that time.");
        String now = (String) browser.run("document.querySelector('#moment').value = '';"
                + " const two = n => String(n).padStart(2, '0'), now = new Date();"
                + " return `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`");
        browser.find("#moment").sendKeys(now);
        // Before, the time of the last read is earlier than that: it means the day before.
        browser.awaitText("output", "still does");
        assertThat(browser.text("output")).matches("app-\\w\\w led at .* on, and still does\\.");
        assertThat(browser.has(".timeline .marked")).isTrue();
        browser.assertNothingWrong();
    }

    @Test
    void times_are_written_and_read_as_people_do() {
        browser.open(running.get("app-1a").page());
        String now = "Date.parse('2026-11-20T08:00:00Z')";
        Map<String, String> moments = Map.of(
                "03:00", "2026-11-20T02:00:00.000Z",
                "09:00:01", "2026-11-19T08:00:01.000Z",
                "2026-07-01 03:00", "2026-07-01T01:00:00.000Z");
        moments.forEach((typed, moment) -> assertThat(
                        browser.evaluate("new Date(time.parseMoment('" + typed + "', " + now + ")).toISOString()"))
                .as(typed)
                .isEqualTo(moment));
        for (String wrong : List.of("", "3", "25:00", "03:60", "2026-02-30 03:00", "soon")) {
            assertThat(browser.evaluate("time.parseMoment('" + wrong + "', " + now + ")"))
                    .as(wrong)
                    .isNull();
        }
        Map<Long, String> durations = Map.of(
                640L, "640 ms",
                12_340L, "12.3 s",
                59_600L, "1 min",
                200_000L, "3 min 20 s",
                3_599_900L, "1 h",
                7_500_000L, "2 h 5 min",
                349_200_000L, "4 d 1 h");
        durations.forEach((millis, text) ->
                assertThat(browser.evaluate("time.duration(" + millis + ")")).isEqualTo(text));
        assertThat(browser.evaluate("time.parseDuration('3 min 20 s')")).isEqualTo(200_000L);
    }

    @Test
    void a_history_says_who_led_and_when_nobody_did() {
        browser.open(running.get("app-1a").page());
        String all = "history.terms(["
                + "{node: 'b', from: '2026-11-20T08:00:10Z', until: '2026-11-20T08:01:00Z', reason: 'EXPIRED'},"
                + "{node: 'a', from: '2026-11-20T08:00:00Z', until: '2026-11-20T08:00:05Z', reason: 'ABDICATED', requestedBy: 'alice at c'}"
                + "], now)";
        String now = "(now => %s)(Date.parse('2026-11-20T08:02:00Z'))";
        assertThat(browser.evaluate(now.formatted(
                        "history.gaps(" + all + ", now).map(gap => (gap.end - gap.start) / 1000).join()")))
                .as("the seconds without a leader")
                .isEqualTo("5,60");
        assertThat(browser.evaluate(now.formatted(all + ".map(history.ending).join('; ')")))
                .isEqualTo("gave up leadership, asked by alice at c; lease ran out");
        Map<String, String> answers = Map.of(
                "07:59:59", "The store keeps no leadership from that time.",
                "08:00:04", "a",
                "08:00:05", "nobody until 08:00:10",
                "08:00:10", "b",
                "08:01:30", "nobody until 08:02:00",
                "08:02:01", "That is in the future.");
        answers.forEach((asked, answer) -> assertThat(
                        browser.evaluate(now.formatted("(found => found.unknown ?? found.term?.node"
                                + " ?? 'nobody until ' + new Date(found.gap.end).toISOString().slice(11, 19))"
                                + "(history.at(Date.parse('2026-11-20T" + asked + "Z'), " + all + ", now))")))
                .as(asked)
                .isEqualTo(answer));
    }

    @Test
    void a_bar_of_the_timeline_names_its_leader_if_the_name_fits() {
        browser.open(running.get("app-1a").page() + "#/elections/default");
        browser.awaitText("#history-title", "Who led");
        String halves = "(now => [...timeline.timeline(history.terms(["
                + "{node: 'a-name-of-twenty-five-char', from: '2026-11-20T08:02:00Z'},"
                + "{node: 'a', from: '2026-11-20T08:00:00Z', until: '2026-11-20T08:02:00Z'}"
                + "], now), now, true, 'all', null).querySelectorAll('.term text')].map(each => each.textContent).join())"
                + "(Date.parse('2026-11-20T08:04:00Z'))";
        assertThat(browser.evaluate(halves)).isEqualTo("a,a-name-of-twenty-five-char");
        browser.show(390, false);
        assertThat(browser.evaluate(halves)).isEqualTo("a");
    }

    @Test
    void a_member_says_what_it_likes_and_it_is_only_text() {
        browser.open(other(leader()).page() + "#/members");
        browser.awaitText("main", "<img src=x onerror=document.title=1>");
        assertThat(browser.has("main img")).isFalse();
        assertThat(browser.has("main a[href='http://127.0.0.1:1']")).isTrue();
        assertThat(browser.has("main a[href^=javascript]")).isFalse();
        assertThat(browser.text("main")).contains("javascript:alert(1)");
        browser.button("Node").click();
        browser.button("Node ↑").click();
        assertThat(browser.text("tbody tr:first-child")).contains("app-3c");
        browser.find("input[type=search]").sendKeys("app-2");
        assertThat(browser.text("tbody")).contains("app-2b").doesNotContain("app-3c");
        browser.assertNothingWrong();
    }

    @Test
    void jobs_are_a_line_each_problems_first_and_show_their_runs_when_opened() {
        browser.open(running.get(leader()).page() + "#/jobs");
        browser.awaitText(".jobs", "reports.hourly");
        browser.awaitText(".jobs li:first-child", "failed");
        browser.find(".jobs li:first-child .job").click();
        browser.awaitText("tbody", "java.lang.IllegalStateException");
        browser.button("With problems").click();
        browser.awaitText(".jobs", "billing");
        assertThat(browser.text(".jobs")).doesNotContain("reports.hourly");
        browser.assertNothingWrong();
    }

    @Test
    void a_line_of_a_job_is_one_line_on_a_narrow_screen() {
        browser.open(running.get(leader()).page() + "#/jobs");
        browser.awaitText(".jobs", "reports.hourly");
        browser.show(390, false);
        assertThat(browser.run("return [...document.querySelectorAll('.job')].every(job => job.offsetHeight < 48)"))
                .isEqualTo(true);
    }

    @Test
    void a_job_is_run_now_by_whatever_node_is_asked() {
        browser.open(other(leader()).page() + "#/jobs");
        browser.awaitText(".jobs", "reports.monthly");
        browser.run("[...document.querySelectorAll('.job')].find(job => job.textContent.includes('monthly')).click()");
        browser.button("Run now…").click();
        browser.find("dialog [name=reason]").sendKeys("the books are closed");
        browser.button("Run now").click();
        browser.awaitText("dialog", "'reports.monthly' has begun on");
        browser.button("Close").click();
        browser.awaitText("tbody", "by hand, a user of the endpoint (the books are closed) at app-");
        browser.assertNothingWrong();
    }

    @Test
    void the_findings_of_the_checks_are_counted_and_told() {
        browser.open(running.get("app-3c").page() + "#/checks");
        browser.awaitText("main", "maxmemory-policy is allkeys-lru");
        browser.awaitText("main", "election.node.uri is 'javascript:alert(1)'");
        assertThat(browser.text("nav .count")).startsWith("2");
        browser.assertNothingWrong();
    }

    @Test
    void a_hidden_page_asks_nothing() {
        ReplicaProcess asked = other(leader());
        browser.open(asked.page());
        browser.awaitText(LEADER, "app-");
        browser.run(
                "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
                        + "document.dispatchEvent(new Event('visibilitychange'));"
                        + "window.asked = 0; const ask = fetch; window.fetch = (...all) => { window.asked++; return ask(...all); }");
        browser.run("document.querySelector('.connection button').click()");
        browser.awaitRun("return window.asked === 1");
        assertThat(browser.run("return new Promise(done => setTimeout(() => done(window.asked), 2500))"))
                .isEqualTo(1L);
        browser.run("Object.defineProperty(document, 'hidden', {value: false, configurable: true});"
                + "document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitRun("return window.asked > 2");
    }

    @Test
    void nobody_is_kept_out_and_nothing_is_cut_off_in_any_view() {
        ReplicaProcess leader = running.get(leader());
        views().forEach((name, view) -> {
            browser.open(leader.page() + view);
            browser.awaitText("main", name.equals("checks") ? "maxmemory" : name.equals("jobs") ? "billing" : "app-");
            if (name.equals("dialog")) {
                browser.button("Hand over…").click();
            }
            for (int width : List.of(1280, 390, 2560)) {
                for (boolean isDark : List.of(false, true)) {
                    browser.show(width, isDark);
                    browser.screenshot(name + "-" + width + (isDark ? "-dark" : "-light"), !name.equals("dialog"));
                    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                            .as("%s is as wide as %d pixels", name, width)
                            .isEqualTo(true);
                }
            }
            for (int width : List.of(1280, 390)) {
                for (boolean isDark : List.of(false, true)) {
                    browser.show(width, isDark);
                    assertThat(browser.barriers())
                            .as("%s of %d pixels, dark: %s", name, width, isDark)
                            .isEmpty();
                }
            }
        });
        browser.assertNothingWrong();
    }

    private static Map<String, String> views() {
        return new TreeMap<>(Map.of(
                "overview", "",
                "election", "#/elections/default",
                "group", "#/elections/orders",
                "partition", "#/elections/orders.3",
                "members", "#/members",
                "jobs", "#/jobs",
                "checks", "#/checks",
                "dialog", "#/elections/default"));
    }

    /** As the page says that is open. */
    private static String leader() {
        browser.open(running.get("app-1a").page() + "#/elections/default");
        browser.awaitText(HEADLINE, "leads");
        return browser.text(HEADLINE).replace(" leads", "");
    }

    private static ReplicaProcess other(String than) {
        return running.values().stream()
                .filter(replica -> !replica.id().equals(than))
                .findFirst()
                .orElseThrow();
    }

    private static void tabTo(String text) {
        boolean isFound = Stream.generate(() -> {
                    browser.focused().sendKeys(Keys.TAB);
                    return browser.focused().getText();
                })
                .limit(60)
                .anyMatch(text::equals);
        assertThat(isFound).as("TAB comes to '%s'", text).isTrue();
    }
}

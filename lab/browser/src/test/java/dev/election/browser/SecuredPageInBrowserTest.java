package dev.election.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.InBrowser;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page behind Spring Security: one role may look, another may move leadership. */
@InBrowser
class SecuredPageInBrowserTest {

    private static final String HEADLINE = ".title .mark";
    private static final String FAILED_TO_LOAD = "Failed to load resource";

    /** Chromium has a wish for the form of Spring Security. */
    private static final String LOGIN = "/login - [DOM]";

    @AutoClose
    private static final Replicas replicas = new Replicas();

    private static ReplicaProcess form;
    private static ReplicaProcess basic;

    @AutoClose
    private Browser browser = new Browser();

    @BeforeAll
    static void start() {
        form = replicas.startSecured("by-form", "test.sign-in=form", "election.redis.key-prefix=form");
        basic = replicas.startSecured("by-basic", "test.sign-in=basic", "election.redis.key-prefix=basic");
        form.awaitStarted();
        basic.awaitStarted();
    }

    @Test
    void who_signs_in_by_a_form_moves_leadership_or_is_told_why_not() {
        signIn(form.page(), "viewer");
        openDefault(form.page());
        giveUp();
        browser.awaitText(".progress", "You may not do this: the application answered 403");
        assertThat(browser.text(".progress")).doesNotContain("finishes");
        browser.button("Close").click();
        browser.awaitText(HEADLINE, "by-form leads");
        browser.open(form.page() + "#/members");
        browser.button("Drain…").click();
        browser.button("Drain").click();
        browser.awaitText(".progress", "You may not do this: the application answered 403");
        browser.button("Close").click();
        browser.awaitText("tbody", "active");
        browser.assertNothingWrong(FAILED_TO_LOAD, LOGIN);
        openDefault(form.page());

        browser.deleteCookies();
        browser.awaitText(".notices", "You are not signed in, or your session has ended.");
        browser.find(".notices a").click();
        browser.awaitText("body", "Please sign in");
        fillIn("operator");
        browser.awaitText("h1", "default");
        assertThat(browser.address()).as("the view from before").endsWith("#/elections/default");
        browser.awaitText(HEADLINE, "by-form leads");
        giveUp();
        browser.awaitText(".progress", "by-form has released its leadership");
        browser.button("Close").click();
        browser.awaitText("table[aria-label=Leaderships]", "gave up leadership, asked by operator at by-form");
        browser.assertNothingWrong(FAILED_TO_LOAD, LOGIN);
    }

    @Test
    void who_signs_in_by_basic_authentication_moves_leadership_or_is_told_why_not() {
        openDefault(basic.page().replace("//", "//viewer:" + SignIn.PASSWORD + "@"));
        giveUp();
        browser.awaitText(".progress", "You may not do this: the application answered 403");
        browser.assertNothingWrong(FAILED_TO_LOAD);
        browser.close();

        browser = new Browser();
        openDefault(basic.page().replace("//", "//operator:" + SignIn.PASSWORD + "@"));
        giveUp();
        browser.awaitText(".progress", "by-basic has released its leadership");
        browser.assertNothingWrong();
    }

    private void openDefault(String page) {
        browser.open(page + "#/elections/default");
        browser.awaitText(HEADLINE, "leads");
    }

    private void giveUp() {
        browser.button("Give up…").click();
        browser.button("Give up").click();
    }

    private void signIn(String page, String user) {
        browser.open(page);
        browser.awaitText("body", "Please sign in");
        fillIn(user);
        browser.awaitText("h1", "Elections");
    }

    private void fillIn(String user) {
        browser.find("[name=username]").sendKeys(user);
        browser.find("[name=password]").sendKeys(SignIn.PASSWORD);
        browser.button("Sign in").click();
    }
}

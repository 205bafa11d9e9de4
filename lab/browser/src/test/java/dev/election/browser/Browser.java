package dev.election.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Chromium without a window. It writes down what the page complains of, and whom it asks. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String AXE = axe();

    private final ChromeDriver driver;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();

    Browser() {
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(executable("chromedriver"))
                        .build(),
                options());
    }

    private static ChromeOptions options() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(executable("chromium"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--lang=en");
        options.setCapability("goog:loggingPrefs", logs);
        return options;
    }

    /** Without them the tests fail: an absent browser must not look like a page that works. */
    private static File executable(String name) {
        for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
            File found = new File(folder, name);
            if (found.canExecute()) {
                return found;
            }
        }
        throw new IllegalStateException("There is no " + name
                + " on the PATH: apt-get install --no-install-recommends chromium chromium-driver");
    }

    Browser open(String address) {
        // A change of what follows # alone would not load the page.
        driver.get("about:blank");
        driver.get(address);
        return this;
    }

    String address() {
        return driver.getCurrentUrl();
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** What is to be read, in one line. */
    String text(String selector) {
        return lineOf(find(selector));
    }

    private static String lineOf(WebElement element) {
        return element.getText().replace('\n', ' ');
    }

    /** Waits until that is to be read there. */
    void awaitText(String selector, String expected) {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> safeText(selector).contains(expected));
        } catch (ConditionTimeoutException missing) {
            throw new AssertionError("'" + expected + "' is not in " + selector + " of: " + safeText("body"), missing);
        }
    }

    void awaitGone(String selector) {
        Awaitility.await("the end of " + selector).atMost(PATIENCE).until(() -> !has(selector));
    }

    boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** The first element, once there is one: a page that was opened may have to be drawn yet. */
    WebElement find(String selector) {
        return await("the element " + selector, By.cssSelector(selector), element -> true);
    }

    /** The button with that text. */
    WebElement button(String text) {
        return await(
                "the button " + text,
                By.xpath("//button[normalize-space()='" + text + "']"),
                button -> button.isDisplayed() && button.isEnabled());
    }

    private WebElement await(String what, By by, Predicate<WebElement> ready) {
        return Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> driver.findElement(by), ready);
    }

    /** As with the keyboard: wherever the focus is. */
    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    void choose(String selector, String value) {
        driver.executeScript(
                "const select = document.querySelector(arguments[0]); select.value = arguments[1];"
                        + " select.dispatchEvent(new Event('change', {bubbles: true}))",
                selector,
                value);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The value of an expression over three modules of the page that is open, in a zone with a summer time. */
    Object evaluate(String expression) {
        driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", "Europe/Berlin"));
        return driver.executeAsyncScript(
                "const done = arguments[0]; const load = name => import(new URL('leaderconsole/' + name, location));"
                        + " Promise.all(['time', 'history', 'timeline'].map(name => load(name + '.js'))).then(([time, history, timeline]) => done("
                        + expression + "), done)");
    }

    void awaitRun(String script) {
        Awaitility.await(script).atMost(PATIENCE).until(() -> Boolean.TRUE.equals(driver.executeScript(script)));
    }

    void deleteCookies() {
        driver.manage().deleteAllCookies();
    }

    /** Looks as on such a screen. */
    void show(int width, boolean isDark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"),
                                // No colour is on its way to another one.
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Of the whole page, or of what a screen shows of it. */
    void screenshot(String name, boolean isWhole) {
        Map<String, Object> shot =
                driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", isWhole));
        Path file = Path.of("target", "screenshots", name + ".png");
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode((String) shot.get("data")));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** What keeps people out, by the rules of WCAG 2.2 A and AA that a program can check. */
    List<String> barriers() {
        driver.executeScript(AXE);
        Object found = driver.executeAsyncScript(
                "const done = arguments[0]; axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"
                        + ".then(result => done(result.violations.flatMap(each => each.nodes.map("
                        + "node => each.id + ': ' + node.html + ' ' + node.failureSummary))))");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** That the page asked only this host, kept to its policy, and that the browser has complained of nothing but these. */
    void assertNothingWrong(String... allowed) {
        readLogs();
        assertThat(complaints).allMatch(complaint -> List.of(allowed).stream().anyMatch(complaint::contains));
        assertThat(requests)
                .isNotEmpty()
                .allMatch(url -> url.matches("(http://(\\w+:\\w+@)?127\\.0\\.0\\.1:\\d+/|about:|data:).*"));
        complaints.clear();
        requests.clear();
    }

    /** What an earlier test had caused. */
    void forgetComplaints() {
        readLogs();
        complaints.clear();
        requests.clear();
    }

    private void readLogs() {
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            complaints.add(entry.getMessage());
        }
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            if (entry.getMessage().contains("\"Network.requestWillBeSent\"")) {
                requests.add(JsonPath.read(entry.getMessage(), "$.message.params.request.url"));
            }
        }
    }

    @Override
    public void close() {
        driver.quit();
    }

    /** Reads the text that is there at this moment, and does not wait for one. */
    private String safeText(String selector) {
        try {
            return lineOf(driver.findElement(By.cssSelector(selector)));
        } catch (NoSuchElementException | StaleElementReferenceException changing) {
            return "";
        }
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

package dev.election.autoconfigure.internal.console;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.Resource;

/**
 * The endpoint {@code leaderconsole}: a page that shows what the endpoint {@code leader} says. It only serves files; the browser asks that
 * endpoint itself, under the same rules of security as everybody.
 */
@WebEndpoint(id = LeaderConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class LeaderConsoleEndpoint {

    /** The id of the endpoint. */
    public static final String ID = "leaderconsole";

    private final ConsolePage page;

    /**
     * Creates the endpoint.
     *
     * @param page the page
     */
    public LeaderConsoleEndpoint(ConsolePage page) {
        this.page = page;
    }

    /** The page. */
    @ReadOperation(produces = ConsoleFile.HTML)
    public WebEndpointResponse<Resource> page() {
        return new WebEndpointResponse<>(page.html(), ConsoleFile.PAGE.type());
    }

    /** The page with a slash at the end of its address; 404 for what is below a file. */
    @ReadOperation(produces = ConsoleFile.HTML)
    public WebEndpointResponse<Resource> below(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        return path.length == 0
                ? new WebEndpointResponse<>(page.htmlBelow(), ConsoleFile.PAGE.type())
                : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }

    /** A file that the page refers to; 404 for any other name. */
    @ReadOperation(produces = {ConsoleFile.SCRIPT, ConsoleFile.STYLE, ConsoleFile.IMAGE})
    public WebEndpointResponse<Resource> file(@Selector String name) {
        return ConsoleFile.find(name)
                .map(file -> new WebEndpointResponse<>(file.resource(), file.type()))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }
}

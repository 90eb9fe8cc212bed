import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The local fake as an extension of JUnit 5: one server for the tests of a class, which begins anew for each.
 *
 * <pre>
 * &#64;RegisterExtension
 * static final Refserver fake = new Refserver("--seed", "demo");
 * </pre>
 *
 * It runs the program that REFSERVER_BINARY names, or refserver on the path, and serves plain HTTP. The program
 * ends with the tests, however they end. Answers of the control plane are JSON; read them with the library of your choice.
 */
public final class Refserver implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final int STOP_SECONDS = 10;
    private static final int ANSWER_SECONDS = 90; // a call of the journal waits for a minute at most

    private final HttpClient http = HttpClient.newHttpClient();
    private final String controlToken = secret();
    private final List<String> flags;
    private final String token = secret();
    private final String secondToken = secret();
    private String controlUrl;
    private Process process;
    private String url;

    /** Takes further flags of the program, as refserver --help lists them. */
    public Refserver(String... flags) {
        this.flags = List.of(flags);
    }

    /** The base URL, such as http://127.0.0.1:40123. */
    public String url() {
        return url;
    }

    /** The app token. */
    public String token() {
        return token;
    }

    /** The app token of a second application. */
    public String secondToken() {
        return secondToken;
    }

    /** Replaces the weather, such as "429,after=5"; without rules the sky is clear. */
    public void weather(String... rules) {
        control("PUT", "/v1/worlds/default/weather", Stream.of(rules).map(Refserver::quoted).collect(Collectors.joining(",", "[", "]")));
    }

    /** Moves the server's time forward: sessions, lag and rate limits follow it. */
    public void advance(Duration by) {
        control("POST", "/v1/worlds/default/clock", "{\"advance\":\"" + by.toMillis() + "ms\"}");
    }

    /** Replaces what the server holds: "demo:users=50,events=1000", or users as YAML. */
    public void seed(String text) {
        control("POST", "/v1/worlds/default/seed", text);
    }

    /** Takes the server back to what it began with; sessions end, and the journal is empty. */
    public void reset() {
        control("DELETE", "/v1/worlds/default", null);
    }

    /**
     * Waits until so many requests came that have all of the filter, such as Map.of("endpoint", "21", "status", "5xx"), and
     * returns the journal's answer.
     */
    public String waitFor(Map<String, String> filter, int count, Duration timeout) {
        String query = filter.entrySet().stream().map(e -> "&" + encoded(e.getKey()) + "=" + encoded(e.getValue())).collect(Collectors.joining());
        String answer = control("GET", "/v1/journal?world=default&count=" + count + "&wait=" + timeout.toMillis() + "ms" + query, null);
        int came = Integer.parseInt(field("count", answer));
        if (came < count) {
            throw new AssertionError(came + " of " + count + " requests with " + filter + " came within " + timeout + ": " + answer);
        }
        return answer;
    }

    /** Sends a call of the control plane, for what has no method here, and returns its answer. */
    public String control(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(controlUrl + path))
            .timeout(Duration.ofSeconds(ANSWER_SECONDS)).header("Authorization", "Bearer " + controlToken)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(method + " " + path, e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        String binary = System.getenv().getOrDefault("REFSERVER_BINARY", "refserver");
        List<String> command = new ArrayList<>(List.of(binary, "--http", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log", "off",
            "--rate-limit", "0", "--print", "json", "--stop-with-stdin"));
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Other users can read a command line.
        builder.environment().putAll(Map.of("REFSERVER_APP_TOKEN", token, "REFSERVER_SECOND_APP_TOKEN", secondToken, "REFSERVER_CONTROL_TOKEN", controlToken));
        process = builder.start();
        String greeting = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (greeting == null) {
            throw new IllegalStateException("refserver did not start; what it said is on stderr");
        }
        url = field("base_url", greeting);
        controlUrl = field("control_url", greeting);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        reset();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        if (process == null) {
            return;
        }
        process.getOutputStream().close();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private static String secret() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String field(String name, String json) {
        var match = Pattern.compile("\"" + name + "\":\\s*\"?([^\",}\\s]+)").matcher(json);
        if (!match.find()) {
            throw new IllegalStateException("no " + name + " in " + json);
        }
        return match.group(1);
    }
}

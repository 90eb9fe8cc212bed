// Tests of a client with JUnit 5. A line that ends with "assert NAME" is an assertion.

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private static HttpClient http;
    private static int users;

    private String reader;
    private String author;
    private String authorsName;

    @BeforeAll
    static void trustTheFake() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream in = new FileInputStream(System.getenv("REFSERVER_CA_FILE"))) {
            store.setCertificateEntry("refserver", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        http = HttpClient.newBuilder().sslContext(context).build();
    }

    @BeforeEach
    void aReaderFollowsAnAuthor() throws Exception {
        reader = signUp("reader-" + ++users);
        authorsName = "author-" + ++users;
        author = signUp(authorsName);
        send("POST", "/0.2/user/connections", session(reader), "{\"user_to_id\":\"" + first("id", author) + "\",\"type\":\"follow\"}");
        for (String verb : List.of("liked", "shared", "left")) {
            send("POST", "/0.2/user/events", session(author), "{\"verb\":\"" + verb + "\"}");
        }
    }

    @Test
    void aNewUserIsEnabled() {
        assertEquals(List.of("true"), all("enabled", reader)); // assert enabled
    }

    @Test
    void theFeedHasTheLatestEventsFirst() throws Exception {
        List<String> feed = all("verb", send("GET", "/0.2/user/feed", session(reader), null).body());
        assertEquals(3, feed.size()); // assert feed
        assertEquals(List.of("left", "shared", "liked"), feed); // assert order
    }

    @Test
    void theSearchIgnoresCase() throws Exception {
        List<String> found = all("user_name", send("GET", "/0.2/users/search?q=" + authorsName.toUpperCase(), session(reader), null).body());
        assertEquals(1, found.size()); // assert search
    }

    @Test
    void theEventsOfADeletedUserLeaveTheFeed() throws Exception {
        send("DELETE", "/0.2/user", session(author), null);
        List<String> feed = all("verb", send("GET", "/0.2/user/feed", session(reader), null).body());
        assertEquals(List.of(), feed); // assert purge
    }

    @Test
    void logoutEndsTheSession() throws Exception {
        send("DELETE", "/0.2/user/logout", session(reader), null);
        int status = send("GET", "/0.2/user", session(reader), null).statusCode();
        assertEquals(401, status); // assert logout
    }

    private static String signUp(String name) throws Exception {
        return send("POST", "/0.2/users?withLogin=true", "", "{\"user_name\":\"" + name + "\",\"password\":\"p-1\"}").body();
    }

    private static String session(String user) {
        return first("session_token", user);
    }

    private static HttpResponse<String> send(String method, String path, String session, String body) throws Exception {
        String credentials = System.getenv("REFSERVER_APP_TOKEN") + ":" + session;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(System.getenv("REFSERVER_URL") + path))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()))
            .header("Accept", "application/json").header("User-Agent", "checks/1.0")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static List<String> all(String name, String json) {
        return Pattern.compile("\"" + name + "\":\\s*\"?([^\",}]+)").matcher(json).results().map(match -> match.group(1)).toList();
    }

    private static String first(String name, String json) {
        return all(name, json).stream().findFirst().orElse("");
    }
}

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client's tests against the local fake, with JUnit 5. */
class FeedTest {
    @RegisterExtension
    static final Refserver fake = new Refserver();

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void userIsCreated() throws Exception {
        assertEquals(201, signUp("ada").statusCode());
        assertTrue(fake.waitFor(Map.of("status", "201"), 1, Duration.ofSeconds(5)).contains("\"user_name\": \"ada\""));
    }

    @Test
    void serviceIsUnavailableOnce() throws Exception {
        fake.weather("503,on=POST,nth=1");
        assertEquals(503, signUp("ada").statusCode());
        assertEquals(201, signUp("ada").statusCode());
        fake.waitFor(Map.of("method", "POST"), 2, Duration.ofSeconds(5));
    }

    @Test
    void clockMovesForward() {
        fake.control("POST", "/v1/worlds/default/clock", "{\"at\":\"2040-01-31T12:00:00Z\"}");
        fake.advance(Duration.ofMinutes(10));
        assertTrue(fake.control("GET", "/v1/worlds/default", null).contains("\"now\": \"2040-01-31T12:10:00Z\""));
    }

    private HttpResponse<String> signUp(String name) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(fake.url() + "/0.2/users?withLogin=true"))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString((fake.token() + ":").getBytes()))
            .header("Content-Type", "application/json").header("Accept", "application/json").header("User-Agent", "feed-tests/1.0")
            .POST(BodyPublishers.ofString("{\"user_name\":\"" + name + "\",\"password\":\"5f4dcc3b5aa765d61d8327deb882cf99\",\"email\":\"" + name + "@example.com\"}"))
            .build();
        return http.send(request, BodyHandlers.ofString());
    }
}

// Tests of a client in plain Java. A line that ends with "assert NAME" is an assertion.

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

class Checks {
    static HttpClient http;

    public static void main(String[] args) throws Exception {
        http = HttpClient.newBuilder().sslContext(trusting(System.getenv("REFSERVER_CA_FILE"))).build();
        String ada = send("POST", "/0.2/users?withLogin=true", "", "{\"user_name\":\"ada\",\"password\":\"p-1\"}").body();
        String bob = send("POST", "/0.2/users?withLogin=true", "", "{\"user_name\":\"bob\",\"password\":\"p-2\"}").body();
        String adas = first("session_token", ada), bobs = first("session_token", bob);
        send("POST", "/0.2/user/connections", adas, "{\"user_to_id\":\"" + first("id", bob) + "\",\"type\":\"follow\"}");
        for (String verb : List.of("liked", "shared", "left")) {
            send("POST", "/0.2/user/events", bobs, "{\"verb\":\"" + verb + "\"}");
        }
        List<String> feed = all("verb", send("GET", "/0.2/user/feed", adas, null).body());
        List<String> found = all("user_name", send("GET", "/0.2/users/search?q=BOB", adas, null).body());
        send("DELETE", "/0.2/user", bobs, null);
        List<String> purged = all("verb", send("GET", "/0.2/user/feed", adas, null).body());
        send("DELETE", "/0.2/user/logout", adas, null);
        int after = send("GET", "/0.2/user", adas, null).statusCode();

        check(all("enabled", ada).equals(List.of("true"))); // assert enabled
        check(feed.size() == 3); // assert feed
        check(feed.equals(List.of("left", "shared", "liked"))); // assert order
        check(found.size() == 1); // assert search
        check(purged.isEmpty()); // assert purge
        check(after == 401); // assert logout
    }

    static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("the test fails");
        }
    }

    static HttpResponse<String> send(String method, String path, String session, String body) throws Exception {
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

    static List<String> all(String name, String json) {
        return Pattern.compile("\"" + name + "\":\\s*\"?([^\",}]+)").matcher(json).results().map(match -> match.group(1)).toList();
    }

    static String first(String name, String json) {
        return all(name, json).stream().findFirst().orElse("");
    }

    static SSLContext trusting(String caFile) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream in = new FileInputStream(caFile)) {
            store.setCertificateEntry("refserver", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}

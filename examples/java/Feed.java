// A client in plain Java against the local fake. Run it beside the fake, from source:
//
//   refserver exec -- java examples/java/Feed.java
//
// Java reads no variable that names a CA, so the program takes REFSERVER_CA_FILE itself.

import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class Feed {
    static final String URL = System.getenv("REFSERVER_URL");
    static final String APP_TOKEN = System.getenv("REFSERVER_APP_TOKEN");
    static HttpClient http;

    public static void main(String[] args) throws Exception {
        http = HttpClient.newBuilder().sslContext(trusting(System.getenv("REFSERVER_CA_FILE"))).build();
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest("what was typed".getBytes()));
        String user = "{\"user_name\":\"%1$s\",\"email\":\"%1$s@example.com\",\"password\":\"" + hash + "\"}";
        String ada = field("session_token", send("", "POST", "/0.2/users?withLogin=true", user.formatted("ada")).body());
        String grace = send("", "POST", "/0.2/users?withLogin=true", user.formatted("grace")).body();
        send(ada, "POST", "/0.2/user/connections", "{\"user_to_id\":\"" + field("id", grace) + "\",\"type\":\"follow\"}");
        send(field("session_token", grace), "POST", "/0.2/user/events", "{\"verb\":\"like\"}");
        String feed = send(ada, "GET", "/0.2/user/feed", null).body();
        if (!feed.contains("\"verb\":\"like\"")) {
            throw new AssertionError("grace's event is not in ada's feed: " + feed);
        }
        System.out.println("ada sees what grace did");
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

    static HttpResponse<String> send(String session, String method, String path, String body) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((APP_TOKEN + ":" + session).getBytes());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path))
            .header("Authorization", "Basic " + credentials).header("Accept", "application/json").header("User-Agent", "feed/1.0")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer;
    }

    static String field(String name, String json) {
        var match = Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(json);
        if (!match.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return match.group(1);
    }
}

import java.io.FileInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.*;

public class Client {
    public static void main(String[] args) throws Exception {
        HttpClient.Builder client = HttpClient.newBuilder();
        String caFile = System.getenv("REFSERVER_CA_FILE");
        if (caFile != null) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            try (var pem = new FileInputStream(caFile)) {
                trusted.setCertificateEntry("refserver", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            client.sslContext(context);
        }
        String credentials = System.getenv("REFSERVER_APP_TOKEN") + ":";
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("REFSERVER_URL") + "/0.2/users?withLogin=true"))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()))
            .header("Accept", "application/json").header("Content-Type", "application/json").header("User-Agent", "my-client/1.0")
            .POST(HttpRequest.BodyPublishers.ofString("{\"user_name\":\"jim\",\"password\":\"5f4dcc3b5aa765d61d8327deb882cf99\",\"email\":\"jim@example.com\"}"))
            .build();
        HttpResponse<String> answer = client.build().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}

// A client in plain Kotlin against the local fake, in a world of its own:
//
//   kotlinc examples/kotlin/Feed.kt -include-runtime -d feed.jar
//   refserver exec --worlds test- -- java -jar feed.jar
//
// The JVM reads no variable that names a CA, so the program takes REFSERVER_CA_FILE itself.

import java.io.File
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import java.security.KeyStore
import java.security.MessageDigest
import java.security.cert.CertificateFactory
import java.util.Base64
import java.util.HexFormat
import java.util.UUID
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory

fun main() {
    val world = "test-" + UUID.randomUUID()
    val ada = join(world, "ada")
    val grace = join(world, "grace")
    ada.send("POST", "/0.2/user/connections", """{"user_to_id":"${grace.id}","type":"follow"}""")
    grace.send("POST", "/0.2/user/events", """{"verb":"like"}""")
    val feed = ada.send("GET", "/0.2/user/feed")
    check("\"verb\":\"like\"" in feed) { "grace's event is not in ada's feed: $feed" }
    println("ada sees what grace did")
}

/** User is somebody with a session; a blank one may create users. */
class User(private val appToken: String, val id: String, private val session: String) {
    fun send(method: String, path: String, body: String? = null): String {
        val credentials = Base64.getEncoder().encodeToString("$appToken:$session".toByteArray())
        val request = HttpRequest.newBuilder(URI.create(System.getenv("REFSERVER_URL") + path))
            .header("Authorization", "Basic $credentials").header("Accept", "application/json").header("User-Agent", "feed/1.0")
            .method(method, if (body == null) BodyPublishers.noBody() else BodyPublishers.ofString(body))
        if (body != null) request.header("Content-Type", "application/json")
        val answer = http.send(request.build(), BodyHandlers.ofString())
        check(answer.statusCode() / 100 == 2) { "$method $path: ${answer.statusCode()} ${answer.body()}" }
        return answer.body()
    }
}

fun join(appToken: String, name: String): User {
    val hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest("what was typed".toByteArray()))
    val created = User(appToken, "", "").send("POST", "/0.2/users?withLogin=true", """{"user_name":"$name","email":"$name@example.com","password":"$hash"}""")
    return User(appToken, member("id", created), member("session_token", created))
}

fun member(name: String, json: String): String =
    checkNotNull(Regex("\"$name\":\"?([^\",}]+)").find(json)) { "no $name in $json" }.groupValues[1]

val http: HttpClient by lazy {
    val store = KeyStore.getInstance(KeyStore.getDefaultType())
    store.load(null, null)
    val ca = File(System.getenv("REFSERVER_CA_FILE")).inputStream().use { CertificateFactory.getInstance("X.509").generateCertificate(it) }
    store.setCertificateEntry("refserver", ca)
    val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
    trust.init(store)
    val context = SSLContext.getInstance("TLS")
    context.init(null, trust.trustManagers, null)
    HttpClient.newBuilder().sslContext(context).build()
}

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/internal/shell"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// newTrust is the command that prints how to make devices trust the kept authority.
func newTrust() *cobra.Command {
	var dir string
	var hosts []string
	var install bool
	command := &cobra.Command{
		Use:     "trust --ca-dir DIR",
		Short:   "Print how to trust the server's certificate authority",
		Long:    "trust creates the certificate authority in the directory if there is none, and prints the steps for browsers, runtimes and devices. --install carries out the steps for the browsers of this machine.",
		Example: "  refserver trust --ca-dir ~/.config/refserver\n  refserver trust --ca-dir ~/.config/refserver --install\n  refserver --ca-dir ~/.config/refserver",
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if dir == "" {
				return errors.New("trust needs --ca-dir DIR, the folder in which the authority is kept, such as ~/.config/refserver")
			}
			set := settings{hosts: hosts}
			if err := set.checkHosts(); err != nil {
				return err
			}
			set.caDir = dir
			if _, err := set.authority(hosts); err != nil {
				return err
			}
			path, err := filepath.Abs(filepath.Join(dir, tlscert.CertificateFile))
			if err != nil {
				return fmt.Errorf("--ca-dir: %w", err)
			}
			home, err := os.UserHomeDir()
			if err != nil {
				return fmt.Errorf("finding the trust stores: %w", err)
			}
			stores := trustStores(home, path)
			if install {
				return installTrust(command.Context(), command.OutOrStdout(), stores, runtime.GOOS)
			}
			printTrust(command.OutOrStdout(), dir, path, stores)
			return nil
		},
	}
	command.Flags().StringVar(&dir, "ca-dir", "", "`DIR` that the authority is kept in")
	command.Flags().StringArrayVar(&hosts, "host", nil, "a further `NAME` that it may sign for, if it is made now; repeatable")
	command.Flags().BoolVar(&install, "install", false, "add the authority to the trust stores of this machine's browsers")
	return command
}

func printTrust(stdout io.Writer, dir, path string, stores []trustStore) {
	folder, file := shell.Lit(dir), shell.Lit(path)
	flags := func(texts ...string) []shell.Word {
		words := make([]shell.Word, len(texts))
		for i, text := range texts {
			words[i] = shell.Plain(text)
		}
		return words
	}
	line := shell.MustLine
	fmt.Fprintf(stdout, "The authority is %s\n", path)
	fmt.Fprint(stdout, `It may sign certificates of servers for localhost, *.local, *.test, *.home.arpa, host.docker.internal, this
machine's name and private addresses alone. Keep the directory to yourself, and start the server with:  `)
	fmt.Fprintln(stdout, line(shell.Call("refserver", shell.Plain("--ca-dir"), folder)))
	fmt.Fprintln(stdout)
	row := func(of, step string) { fmt.Fprintf(stdout, "%-25s%s\n", of, step) }
	row("curl, Python, Ruby, Go", line(shell.Call("curl", shell.Plain("--cacert"), file)))
	row("", line(shell.Export(shell.Named("REQUESTS_CA_BUNDLE"), file))+"   (Python requests)")
	row("", line(shell.Export(shell.Named("SSL_CERT_FILE"), file))+"        (Go, Ruby, OpenSSL; replaces the system's roots)")
	row("Node", line(shell.Export(shell.Named("NODE_EXTRA_CA_CERTS"), file)))
	row("Java, Kotlin", line(shell.Call("keytool", append(flags("-importcert", "-noprompt", "-alias", "refserver", "-file"), file)...))+` \`)
	fmt.Fprint(stdout, `                           -keystore refserver.p12 -storetype PKCS12 -storepass changeit
                         java -Djavax.net.ssl.trustStore=refserver.p12 -Djavax.net.ssl.trustStorePassword=changeit ...
`)
	for _, store := range stores {
		row(store.of, store.shown())
	}
	row("Firefox", "Settings > Privacy & Security > View Certificates > Authorities > Import")
	row("iOS simulator", line(shell.Call("xcrun", append(flags("simctl", "keychain", "booted", "add-root-cert"), file)...)))
	fmt.Fprint(stdout, `iOS device               send the file to the device, install the profile in Settings, then turn it on in
                         Settings > General > About > Certificate Trust Settings
Android emulator, device copy the file to app/src/debug/res/raw/refserver_ca.pem; in the debug build's
                         res/xml/network_security_config.xml:
                           <network-security-config><debug-overrides><trust-anchors>
                             <certificates src="@raw/refserver_ca"/>
                           </trust-anchors></debug-overrides></network-security-config>
                         The emulator reaches this machine at https://10.0.2.2:8443, a device at your
                         machine's address: `)
	fmt.Fprintln(stdout, line(shell.Call("refserver", append(flags("--addr", "0.0.0.0:8443", "--ca-dir"), folder)...)))
}

package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver/child"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// trust is the server's TLS configuration, nil for plain HTTP, and what clients have to
// trust.
type trust struct {
	config *tls.Config
	caPEM  []byte // the certificate authority; nil with a certificate of the user's
	caFile string // the authority's file
	remove func() // deletes temporary files
}

// caValidity is how long an authority that is not kept is valid.
const caValidity = 90 * 24 * time.Hour

func (set *settings) trust(listening net.Addr) (trust, error) {
	nothing := func() {}
	if set.plainHTTP {
		return trust{remove: nothing}, nil
	}
	if set.certFile != "" {
		certificate, err := tls.LoadX509KeyPair(set.certFile, set.keyFile)
		if err != nil {
			return trust{}, fmt.Errorf("reading --tls-cert and --tls-key: %w", err)
		}
		return trust{config: tlsConfig(certificate), remove: nothing}, nil
	}
	hosts := set.namedHosts()
	authority, err := set.authority(hosts)
	if err != nil {
		return trust{}, err
	}
	for _, host := range machineNames(listening) {
		if authority.Permits(host) { // a kept authority may have been made when the machine had other names
			hosts = append(hosts, host)
		}
	}
	certificate, err := authority.Certificate(hosts...)
	if err != nil {
		return trust{}, err
	}
	made := trust{config: tlsConfig(certificate), caPEM: authority.PEM(), remove: nothing}
	switch {
	case set.caFile != "":
		made.caFile = set.caFile
		if err := writeCA(set.caFile, made.caPEM); err != nil {
			return trust{}, fmt.Errorf("writing --ca-out: %w", err)
		}
	case set.caDir != "":
		made.caFile = filepath.Join(set.caDir, tlscert.CertificateFile)
	default:
		path, err := child.WriteTemp("refserver-ca-*.pem", made.caPEM)
		if err != nil {
			return trust{}, fmt.Errorf("writing the CA file: %w", err)
		}
		made.caFile, made.remove = path, func() { os.Remove(path) }
	}
	return made, nil
}

func (set *settings) authority(hosts []string) (*tlscert.Authority, error) {
	if set.caDir == "" {
		return tlscert.NewAuthority(caValidity, append(machineNames(nil), hosts...)...)
	}
	authority, err := tlscert.OpenAuthority(set.caDir, machineNames(nil), hosts)
	if err != nil {
		return nil, fmt.Errorf("--ca-dir: %w", err)
	}
	return authority, nil
}

func tlsConfig(certificate tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
}

// namedHosts are the hosts that the user names; the certificate must be valid for them.
func (set *settings) namedHosts() []string {
	hosts := slices.Clone(set.hosts)
	if host, _, err := net.SplitHostPort(set.addr); err == nil {
		if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() || ip == nil && isHostName(host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// machineNames are the names by which this machine, and emulators and containers on it,
// reach the server, and its private addresses where the server listens on all.
func machineNames(listening net.Addr) []string {
	names := []string{"10.0.2.2", "host.docker.internal"}
	if name, err := os.Hostname(); err == nil && isHostName(name) {
		names = append(names, name)
	}
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return names
	}
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return names // without addresses of the local network, which --host can add
	}
	for _, addr := range addrs {
		if network, ok := addr.(*net.IPNet); ok && network.IP.IsPrivate() {
			names = append(names, network.IP.String())
		}
	}
	return names
}

// writeCA writes a certificate to a new file or over an earlier certificate. It refuses to
// replace a link or a file that holds anything else.
func writeCA(path string, data []byte) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	default:
		before, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if len(before) > 0 && !bytes.HasPrefix(before, []byte("-----BEGIN CERTIFICATE-----")) {
			return fmt.Errorf("%s holds something else than a certificate", path)
		}
	}
	return replaceFile(path, data, 0o644)
}

// replaceFile writes a file atomically, by renaming a temporary one.
func replaceFile(path string, data []byte, mode os.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", path, failed.Err) // not the temporary file, which nobody knows
	}
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

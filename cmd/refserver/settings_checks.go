package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/loopback"
)

func (set *settings) checkSources() error {
	if set.seed != "" && set.seedFile != "" {
		return errors.New("--seed and --seed-file are two seeds; give one")
	}
	if set.seed != "" && strings.TrimSpace(set.seed) == "" {
		return errors.New("--seed is blank")
	}
	if set.dataSync && set.data == "" {
		return errors.New("--data-sync needs --data FILE")
	}
	if set.dataFault != "" && set.data == "" {
		return errors.New("--data-fault needs --data FILE")
	}
	switch {
	case set.certFile != "" && set.keyFile == "":
		return errors.New("--tls-cert needs --tls-key FILE with its key")
	case set.keyFile != "" && set.certFile == "":
		return errors.New("--tls-key needs --tls-cert FILE with the certificate that it is the key of")
	}
	if !slices.Contains([]string{"", "text", "env", "json"}, set.print) {
		return fmt.Errorf("--print %s: it is text, env or json", set.print)
	}
	if !slices.Contains([]string{"", "requests", "json", "off"}, set.log) {
		return fmt.Errorf("--log %s: it is requests, json or off", set.log)
	}
	return nil
}

// checkAddr refuses an address that is none.
func (set *settings) checkAddr() error {
	_, port, err := net.SplitHostPort(set.addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("--addr %s: want HOST:PORT, such as %s; port 0 picks one", set.addr, defaultAddr)
	}
	return nil
}

// checkControl refuses an address of the control plane that other machines can reach.
func (set *settings) checkControl() error {
	if set.control == "off" {
		return nil
	}
	host, _, err := net.SplitHostPort(set.control)
	if err != nil {
		return fmt.Errorf("--control %s: it is HOST:PORT or off", set.control)
	}
	if !loopback.IsHost(host) && len(set.controlHosts) == 0 {
		return fmt.Errorf("--control %s: other machines can reach this address; --control-host NAME says under which name they may, and %s keeps them out", set.control, defaultControl)
	}
	return nil
}

func (set *settings) checkHosts() error {
	for flag, hosts := range map[string][]string{"--host": set.hosts, "--control-host": set.controlHosts} {
		for _, host := range hosts {
			if net.ParseIP(host) == nil && !isHostName(host) {
				return fmt.Errorf("%s %s is neither a host's name nor an address", flag, host)
			}
		}
	}
	return nil
}

func (set *settings) checkWorlds() error {
	if set.worlds == "" {
		return nil
	}
	for i, token := range set.givenTokens() {
		if strings.HasPrefix(token, set.worlds) {
			return fmt.Errorf("app token %d begins with the prefix of --worlds, and would open a world", i+1)
		}
	}
	return nil
}

// isHostName reports whether a name may be in a certificate.
func isHostName(name string) bool {
	if len(name) == 0 || len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") ||
			strings.ContainsFunc(label, func(r rune) bool {
				return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
			}) {
			return false
		}
	}
	return true
}

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// releases is where a version's files are downloaded from.
const releases = "https://github.com/socialfeed/conform/releases/download/v"

// packHomebrew writes a Homebrew formula that installs both commands from the files of a release, by their sums. It needs both
// commands for each platform of Homebrew; with fewer, there is none.
func (r release) packHomebrew(programs, out string) error {
	var b strings.Builder
	fmt.Fprintf(&b, `class Conform < Formula
  desc "Test servers and clients of the Social Activity Feed Service"
  homepage "https://github.com/socialfeed/conform"
  version "%s"
  license "MIT"
`, r.npmVersion)
	for _, p := range platforms() {
		if p.goos == "windows" {
			continue
		}
		if !hasCommands(programs, p) {
			return nil
		}
		fmt.Fprintf(&b, "\n  on_%s do\n    on_%s do\n", map[string]string{"linux": "linux", "darwin": "macos"}[p.goos], map[string]string{"amd64": "intel", "arm64": "arm"}[p.goarch])
		for i, command := range commands() {
			sum, err := sumOf(commandFile(programs, command, p))
			if err != nil {
				return err
			}
			from := fmt.Sprintf("url \"%s%s/%s\"", releases, r.npmVersion, filepath.Base(commandFile(programs, command, p)))
			if i == 0 {
				fmt.Fprintf(&b, "      %s\n      sha256 \"%s\"\n", from, sum)
			} else {
				fmt.Fprintf(&b, "      resource \"%s\" do\n        %s\n        sha256 \"%s\"\n      end\n", command, from, sum)
			}
		}
		b.WriteString("    end\n  end\n")
	}
	b.WriteString(`
  def install
    bin.install Dir["conform-*"].first => "conform"
    resource("refserver").stage { bin.install Dir["refserver-*"].first => "refserver" }
    chmod 0555, [bin/"conform", bin/"refserver"]
    %w[conform refserver].each do |command|
      generate_completions_from_executable(bin/command, "completion", shells: [:bash, :zsh, :fish])
      system bin/command, "man", "man1"
    end
    man1.install Dir["man1/*"]
  end

  test do
    system bin/"refserver", "exec", "--", "true"
    assert_match "CONFORMANT", shell_output("#{bin}/conform --self --part versions")
  end
end
`)
	return os.WriteFile(filepath.Join(out, "conform.rb"), []byte(b.String()), 0o644)
}

// sumOf is the SHA-256 of a file in hexadecimal.
func sumOf(path string) (string, error) {
	data, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

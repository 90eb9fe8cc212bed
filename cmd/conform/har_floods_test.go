//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const harURL = "https://feeds.example/0.2/user"

// archivedAs writes an archive whose entries a function writes.
func archivedAs(t *testing.T, entries func(w *bufio.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive.har")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprint(w, `{"log":{"version":"1.2","creator":{"name":"x"},"entries":[`)
	entries(w)
	fmt.Fprint(w, `]}}`)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// harEntry writes an entry with a body and further header fields, each by a function.
func harEntry(w *bufio.Writer, n int, headers, body func(w *bufio.Writer)) {
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC).Add(time.Duration(n) * 100 * time.Millisecond)
	fmt.Fprintf(w, `{"startedDateTime":%q,"time":5,"connection":"7","request":{"method":"GET","url":%q,"httpVersion":"HTTP/1.1","headers":[`, at.Format(time.RFC3339Nano), harURL)
	fmt.Fprint(w, `{"name":"User-Agent","value":"feedreader/1.0"},{"name":"Accept","value":"application/json"},{"name":"Authorization","value":"Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ=="}`)
	headers(w)
	fmt.Fprint(w, `]},"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":2,"text":"{\"id\":\"1\",\"user_name\":\"`)
	body(w)
	fmt.Fprint(w, `\"}"}}}`)
}

// letters writes a letter so many times.
func letters(size int) func(*bufio.Writer) {
	return func(w *bufio.Writer) {
		for range size >> 10 {
			fmt.Fprint(w, strings.Repeat("ab", 512))
		}
	}
}

func none(*bufio.Writer) {}

// TestMemoryOfArchives judges archives that are far larger than the memory that the judge may take:
// of many entries, with one huge value, with millions of header fields. FLOODS=all makes them 500 MiB.
func TestMemoryOfArchives(t *testing.T) {
	t.Parallel()
	size, most := 24<<20, int64(64<<10) // KiB: a reader that keeps the archive takes more
	if os.Getenv("FLOODS") == "all" {
		size, most = 500<<20, mostMemory
	}
	for name, write := range map[string]func(w *bufio.Writer){
		"many entries": func(w *bufio.Writer) {
			const each = 10 << 10
			for n := range size / each {
				if n > 0 {
					fmt.Fprint(w, ",")
				}
				harEntry(w, n, none, letters(each))
			}
		},
		"one huge value": func(w *bufio.Writer) { harEntry(w, 0, none, letters(size)) },
		"many header fields": func(w *bufio.Writer) {
			harEntry(w, 0, func(w *bufio.Writer) {
				const each = 36
				for n := range size / each {
					fmt.Fprintf(w, `,{"name":"X-%08d","value":"v"}`, n)
				}
			}, letters(1<<10))
		},
		"one huge name": func(w *bufio.Writer) {
			fmt.Fprint(w, `{"`)
			letters(size)(w)
			fmt.Fprint(w, `":1}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := archivedAs(t, write)
			defer os.Remove(path) // which is large
			report := file(t, nil)
			cmd := command(t, "har", path, "--quiet", "--report", "json="+report)
			used := measured(t, cmd)
			began := time.Now()
			o := finish(t, cmd)
			o.read(t, report)
			t.Logf("%-20s %5.1fs: the judge took %4d MiB; exit %d, %v, %v", name, time.Since(began).Seconds(), used()>>10, o.code, o.report.Summary.Requests, o.report.Notes)
			o.wants(t, exitConformant, exitNoVerdict)
			if used() > most {
				t.Errorf("the judge took %d KiB, want %d at most", used(), most)
			}
		})
	}
}

// TestInterruptedReadingOfAnArchive has an archive that never ends: a signal ends its reading.
func TestInterruptedReadingOfAnArchive(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sig  os.Signal
		more bool // comes for ever; else nothing does
	}{"SIGINT while much comes": {os.Interrupt, true}, "SIGTERM while nothing comes": {syscall.SIGTERM, false}} {
		t.Run(name, func(t *testing.T) {
			cmd := command(t, "har", "-")
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = in
			defer in.Close()
			o := finishWhile(t, cmd, func() {
				defer out.Close()
				w := bufio.NewWriter(out)
				fmt.Fprint(w, `{"log":{"entries":[`)
				harEntry(w, 0, none, letters(1<<20)) // more than a pipe holds: it is written when most was read
				w.Flush()
				cmd.Process.Signal(tc.sig)
				for n := 1; tc.more; n++ {
					fmt.Fprint(w, ",")
					if harEntry(w, n, none, none); w.Flush() != nil {
						return
					}
				}
				<-t.Context().Done()
			})
			o.says(t, exitNoVerdict, "interrupted")
			o.fewLines(t, 1)
		})
	}
}

package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Glossary is the terms of docs/glossary.md in a folder, by section.
func Glossary(t testing.TB, root string) map[string][]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	terms := map[string][]string{}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, table, _ := strings.Cut(section, "\n")
		terms[title] = FirstColumn(table)
	}
	return terms
}

// FirstColumn lists the first cells of a Markdown table without its head, divided at commas.
func FirstColumn(text string) []string {
	var listed []string
	below := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "|--"):
			below = true
		case !strings.HasPrefix(line, "| "):
			below = false
		case below:
			first, _, _ := strings.Cut(line[2:], " |")
			for _, one := range strings.Split(first, ",") {
				listed = append(listed, strings.Trim(strings.TrimSpace(one), "`"))
			}
		}
	}
	return listed
}

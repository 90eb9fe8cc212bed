package matrix

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const header = "# What the judge finds of each fault; package matrix says how to read it, and make matrix measures it.\n" +
	"# fault\tkind\tsince\tplain\tdeep\n"

// Read reads a file of rows; one that does not exist has none.
func Read(path string) (Matrix, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the matrix: %w", err)
	}
	m := Matrix{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		row, err := parseRow(lines.Text())
		if err == nil && m[row.Fault].Fault != "" {
			err = errors.New("the fault has two lines")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		m[row.Fault] = row
	}
	return m, nil
}

// Write writes all rows. The file is replaced at once, so that an interruption loses nothing.
func (m Matrix) Write(path string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".matrix-*")
	if err != nil {
		return fmt.Errorf("writing the matrix: %w", err)
	}
	defer os.Remove(temporary.Name()) // where it was not renamed
	err = errors.Join(m.print(temporary), temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing the matrix: %w", err)
	}
	return nil
}

func (m Matrix) print(w io.Writer) error {
	b := bytes.NewBufferString(header)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintln(b, m[name])
	}
	_, err := w.Write(b.Bytes())
	return err
}

// String is the row as it stands in the file.
func (r Row) String() string {
	var cells []string
	for _, c := range r.Plain {
		cells = append(cells, fmt.Sprintf("%d=%s", c.Seed, c))
	}
	deep := "-"
	if r.Deep != nil {
		deep = fmt.Sprintf("%s:%d=%s", r.For, r.Deep.Seed, r.Deep)
	}
	return strings.Join([]string{r.Fault, r.Kind, r.Since, cmp.Or(strings.Join(cells, " "), "-"), deep}, "\t")
}

// String is the cell without its seed.
func (c Cell) String() string { return fmt.Sprintf("%s@%d/%d", c.Result, c.Endpoint, c.Requests) }

func parseRow(line string) (Row, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 5 {
		return Row{}, fmt.Errorf("%d columns, want 5", len(fields))
	}
	row := Row{Fault: fields[0], Kind: fields[1], Since: fields[2]}
	if fields[3] != "-" {
		for text := range strings.FieldsSeq(fields[3]) {
			cell, err := parseCell(text)
			if err != nil {
				return Row{}, err
			}
			row.Add(cell)
		}
	}
	if fields[4] == "-" {
		return row, nil
	}
	length, text, _ := strings.Cut(fields[4], ":")
	cell, err := parseCell(text)
	if err != nil {
		return Row{}, err
	}
	row.Deep = &cell
	if row.For, err = time.ParseDuration(length); err != nil {
		return Row{}, fmt.Errorf("the deep run: %w", err)
	}
	return row, nil
}

func parseCell(text string) (Cell, error) {
	seed, rest, _ := strings.Cut(text, "=")
	what, numbers, _ := strings.Cut(rest, "@")
	endpoint, requests, _ := strings.Cut(numbers, "/")
	c := Cell{Result: what}
	var errs [3]error
	c.Seed, errs[0] = strconv.ParseInt(seed, 10, 64)
	c.Endpoint, errs[1] = strconv.Atoi(endpoint)
	c.Requests, errs[2] = strconv.Atoi(requests)
	if err := errors.Join(errs[:]...); err != nil || what == "" {
		return Cell{}, fmt.Errorf("%q is no cell, as seed=result@endpoint/requests", text)
	}
	return c, nil
}

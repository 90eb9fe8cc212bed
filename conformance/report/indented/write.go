// Package indented writes JSON that people can read, long lists item by item.
package indented

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Write writes a value as indented JSON, in UTF-8, with a newline at the end.
func Write(w io.Writer, value any) error {
	encoder := newEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func newEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder
}

// WriteList writes an object of which one list may be long: that one is encoded item by item. In the
// object the list is empty. Its key is given as it is written, with the line break and the indentation before it.
func WriteList[T any](w io.Writer, object any, key string, list []T, item func(*T) any) error {
	var whole bytes.Buffer
	if err := Write(&whole, object); err != nil {
		return err
	}
	head, tail, found := bytes.Cut(whole.Bytes(), []byte(key+"[]"))
	if !found {
		return fmt.Errorf("encoding an object: it has no empty list at %q", key)
	}
	if _, err := w.Write(append(head, key+"["...)); err != nil {
		return err
	}
	margin := key[:len(key)-len(strings.TrimLeft(key, "\n "))]
	var one, laidOut bytes.Buffer
	encoder := newEncoder(&one)
	for i := range list {
		one.Reset()
		laidOut.Reset()
		if i > 0 {
			laidOut.WriteByte(',')
		}
		laidOut.WriteString(margin + "  ")
		if err := encoder.Encode(item(&list[i])); err != nil {
			return err
		}
		indentEncoded(&laidOut, bytes.TrimSuffix(one.Bytes(), []byte("\n")), margin+"  ")
		if _, err := w.Write(laidOut.Bytes()); err != nil {
			return err
		}
	}
	end := "]"
	if len(list) > 0 {
		end = margin + end
	}
	_, err := io.WriteString(w, end+string(tail))
	return err
}

// indentEncoded lays out JSON as json.Indent does, within lines that begin with a margin. It takes what the
// encoder wrote, which is known to be JSON without blanks, and so need not parse it.
func indentEncoded(to *bytes.Buffer, encoded []byte, margin string) {
	levels := 0
	line := func() {
		to.WriteString(margin)
		for range levels {
			to.WriteString("  ")
		}
	}
	for i := 0; i < len(encoded); i++ {
		switch c := encoded[i]; c {
		case '"':
			end := i + 1
			for encoded[end] != '"' {
				if encoded[end] == '\\' {
					end++
				}
				end++
			}
			to.Write(encoded[i : end+1])
			i = end
		case '{', '[':
			to.WriteByte(c)
			if closing := encoded[i+1]; closing == '}' || closing == ']' {
				to.WriteByte(closing)
				i++
				continue
			}
			levels++
			line()
		case '}', ']':
			levels--
			line()
			to.WriteByte(c)
		case ',':
			to.WriteByte(c)
			line()
		case ':':
			to.WriteString(": ")
		default:
			to.WriteByte(c)
		}
	}
}

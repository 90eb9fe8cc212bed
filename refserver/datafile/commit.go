package datafile

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/socialfeed/conform/refserver/store"
)

// reserved is how many ids beyond the last one a commit takes as given: more than can be given
// before the next commit is through. So none is given twice after a crash, which loses the
// numbers of the last ones.
const reserved = 1 << 17

// run commits until the file is closed.
func (f *File) run() {
	defer close(f.done)
	for {
		<-f.wake
		f.mu.Lock()
		batch, last, given, closing := f.pending, f.last, f.given, f.closing
		f.pending = nil
		f.moved.Broadcast()
		f.mu.Unlock()
		var err error
		began := time.Now()
		if !closing {
			last.LastUser, last.LastEvent = last.LastUser+reserved, last.LastEvent+reserved
		}
		if given > 0 { // otherwise the file stays as it was
			err = f.db.Update(func(tx *bbolt.Tx) error { return write(tx, batch, last) })
			f.finish(batch, given, err)
		}
		if closing {
			return
		}
		f.pause(began, err)
	}
}

// finish notes how a commit ended. The changes of one that failed wait for the next.
func (f *File) finish(batch []change, given uint64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.failing
	if err == nil {
		f.kept, f.failing = given, nil
	} else {
		f.failing = fmt.Errorf("writing %s: %w", f.path, err)
		if len(f.pending) == 0 || f.pending[0].whole == nil { // a new state comes first
			f.pending = append(batch, f.pending...)
		}
	}
	f.moved.Broadcast()
	if f.report != nil && (before == nil) != (f.failing == nil) {
		f.report(f.failing)
	}
}

// pause waits until the next commit may begin.
func (f *File) pause(began time.Time, err error) {
	wait := time.Duration(0)
	switch {
	case err != nil:
		wait = retryAfter
	case !f.sync:
		wait = Interval - time.Since(began)
	}
	if wait <= 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	over := false
	defer time.AfterFunc(wait, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		over = true
		f.moved.Broadcast()
	}).Stop()
	for !over && !f.closing && (err != nil || len(f.pending) < mostPending) {
		f.moved.Wait()
	}
	if err != nil { // there is work, also where nobody writes
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

// The buckets. Rows are JSON under their keys, and sessions in the order in which they were opened.
var (
	bucketMeta        = []byte("meta")
	bucketUsers       = []byte("users")
	bucketSessions    = []byte("sessions")
	bucketConnections = []byte("connections")
	bucketEvents      = []byte("events")
	bucketReserved    = []byte("reserved_names")

	keyFormat   = []byte("format")
	keyProgress = []byte("progress")
)

const format = "refserver.data/v1"

func rowBuckets() [][]byte {
	return [][]byte{bucketUsers, bucketSessions, bucketConnections, bucketEvents, bucketReserved}
}

// sessionValue is a session in the file, under its application and hash.
type sessionValue struct {
	User   store.ID
	Turn   uint64        // sessions are opened in this order
	Opened time.Duration `json:",omitzero"` // on the store's stopwatch
}

func write(tx *bbolt.Tx, batch []change, last store.Progress) error {
	for _, name := range rowBuckets() { // a file of an earlier version lacks some
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	for _, c := range batch {
		if err := writeChange(tx, c); err != nil {
			return err
		}
	}
	meta, err := tx.CreateBucketIfNotExists(bucketMeta)
	if err != nil {
		return err
	}
	if err := meta.Put(keyFormat, []byte(format)); err != nil {
		return err
	}
	return put(meta, keyProgress, last)
}

func writeChange(tx *bbolt.Tx, c change) error {
	if c.whole != nil {
		return writeWhole(tx, c.whole)
	}
	bucket, key := place(tx, c.Row)
	if c.Gone {
		return bucket.Delete(key)
	}
	if session, is := c.Row.(*store.SessionRow); is {
		turn, err := bucket.NextSequence()
		if err != nil {
			return err
		}
		return put(bucket, key, sessionValue{session.User, turn, session.Opened})
	}
	return put(bucket, key, c.Row)
}

// place is where a row stands.
func place(tx *bbolt.Tx, row any) (*bbolt.Bucket, []byte) {
	switch row := row.(type) {
	case *store.User:
		return tx.Bucket(bucketUsers), words(uint64(row.App), uint64(row.ID))
	case *store.Event:
		return tx.Bucket(bucketEvents), words(uint64(row.ID))
	case *store.Connection:
		return tx.Bucket(bucketConnections), append(words(uint64(row.App), uint64(row.From), uint64(row.To)), row.Type...)
	case *store.SessionRow:
		return tx.Bucket(bucketSessions), append(words(uint64(row.App)), row.Hash...)
	case *store.ReservedName:
		return tx.Bucket(bucketReserved), append(words(uint64(row.App)), row.UserName...)
	}
	panic(fmt.Sprintf("a row of the type %T", row)) // which the store does not have
}

// words are numbers as a key whose order is theirs.
func words(numbers ...uint64) []byte {
	var key []byte
	for _, n := range numbers {
		key = binary.BigEndian.AppendUint64(key, n)
	}
	return key
}

func put(bucket *bbolt.Bucket, key []byte, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return bucket.Put(key, text)
}

func writeWhole(tx *bbolt.Tx, state *store.State) error {
	for _, name := range rowBuckets() {
		if tx.Bucket(name) != nil {
			if err := tx.DeleteBucket(name); err != nil {
				return err
			}
		}
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return errors.Join(
		writeAll(tx, state.Users), writeAll(tx, state.Sessions), writeAll(tx, state.Connections), writeAll(tx, state.Events), writeAll(tx, state.Reserved))
}

func writeAll[T any](tx *bbolt.Tx, rows []T) error {
	for i := range rows {
		if err := writeChange(tx, change{Change: store.Change{Row: &rows[i]}}); err != nil {
			return err
		}
	}
	return nil
}

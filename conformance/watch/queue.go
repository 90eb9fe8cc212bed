package watch

import (
	"context"
	"sync"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"golang.org/x/sync/semaphore"
)

// Queue hands exchanges on one by one in the background, so that answers do not wait for
// the judge. Its size is bounded: when it is full, Put waits.
type Queue struct {
	waiting chan *clients.Exchange
	room    *semaphore.Weighted // bytes of bodies and headers
	done    sync.WaitGroup

	mu     sync.RWMutex
	closed bool
}

const (
	mostWaiting = 4096
	mostBytes   = 64 << 20
)

// NewQueue starts a queue that calls a function for each exchange, until it is closed.
func NewQueue(see func(*clients.Exchange)) *Queue {
	q := &Queue{waiting: make(chan *clients.Exchange, mostWaiting), room: semaphore.NewWeighted(mostBytes)}
	q.done.Go(func() {
		for x := range q.waiting {
			held := weight(x)
			see(x)
			q.room.Release(held)
		}
	})
	return q
}

func weight(x *clients.Exchange) int64 {
	return int64(len(x.Body) + len(x.RespBody) + wire.HeaderSize(x.Header) + wire.HeaderSize(x.RespHeader))
}

// Put adds an exchange; after Close it is dropped.
func (q *Queue) Put(x *clients.Exchange) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return
	}
	_ = q.room.Acquire(context.Background(), weight(x)) // fails only with its context
	q.waiting <- x
}

// Close waits until everything in the queue was handed on.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	close(q.waiting)
	q.mu.Unlock()
	q.done.Wait()
}

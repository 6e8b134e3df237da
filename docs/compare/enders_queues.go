package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/beanstalkd/go-beanstalk"
	amqp "github.com/rabbitmq/amqp091-go"
)

// delayedJobs puts a job with a delay into beanstalkd, which counts in whole seconds.
type delayedJobs struct {
	mu   sync.Mutex // one command at a time on a connection
	conn *beanstalk.Conn
}

const (
	jobPriority = 1
	jobTTR      = time.Minute // to work on one job before another worker gets it
	reserveWait = time.Second
)

func newDelayedJobs(addr string) (*delayedJobs, error) {
	conn, err := beanstalk.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &delayedJobs{conn: conn}, nil
}

func (j *delayedJobs) close() { j.conn.Close() }

func (j *delayedJobs) arm(_ context.Context, h hold) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err := j.conn.Put([]byte(payload(h)), jobPriority, h.For, jobTTR)
	return err
}

func (j *delayedJobs) work(ctx context.Context, s *store, ready func()) error {
	ready()
	for ctx.Err() == nil {
		id, body, err := j.conn.Reserve(reserveWait)
		if errors.Is(err, beanstalk.ErrTimeout) {
			continue
		}
		if err != nil {
			return err
		}
		if err := endPayload(ctx, s, string(body)); err != nil {
			return err
		}
		if err := j.conn.Delete(id); err != nil {
			return err
		}
	}
	return nil
}

// deadLetters lets messages run out of time in a queue that nobody reads; RabbitMQ moves
// them on into one that the worker reads. Queues are durable, messages persistent; each
// has its own time to live, as is usual where hold times differ.
type deadLetters struct {
	mu   sync.Mutex // a channel is for one publisher at a time
	conn *amqp.Connection
	ch   *amqp.Channel
}

const (
	queueWaiting = "holds.waiting"
	queueDue     = "holds.due"
)

func newDeadLetters(addr string) (*deadLetters, error) {
	conn, err := amqp.Dial("amqp://guest:guest@" + addr + "/")
	if err != nil {
		return nil, err
	}
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	if _, err := ch.QueueDeclare(queueDue, true, false, false, false, nil); err != nil {
		return nil, err
	}
	_, err = ch.QueueDeclare(queueWaiting, true, false, false, false,
		amqp.Table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": queueDue})
	if err != nil {
		return nil, err
	}
	return &deadLetters{conn: conn, ch: ch}, nil
}

func (d *deadLetters) close() { d.conn.Close() }

func (d *deadLetters) arm(ctx context.Context, h hold) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ch.PublishWithContext(ctx, "", queueWaiting, false, false, amqp.Publishing{DeliveryMode: amqp.Persistent,
		Expiration: strconv.FormatInt(h.For.Milliseconds(), 10), Body: []byte(payload(h))})
}

func (d *deadLetters) work(ctx context.Context, s *store, ready func()) error {
	messages, err := d.ch.Consume(queueDue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	ready()
	for {
		select {
		case m, open := <-messages:
			if !open {
				return fmt.Errorf("the broker has closed the channel")
			}
			if err := endPayload(ctx, s, string(m.Body)); err != nil {
				return err
			}
			if err := m.Ack(false); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

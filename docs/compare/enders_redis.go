package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

const (
	zsetKey  = "holds"
	zsetPoll = 100 * time.Millisecond // between two looks that found nothing
	zsetMost = 100                    // holds taken up at one look
	keyStart = "hold:"
)

// sortedSet keeps holds in a sorted set by deadline. The worker looks for what is due,
// takes each out of the set, and ends it if it was the one who took it out.
type sortedSet struct{ client *redis.Client }

func newRedis(addr string) *redis.Client { return redis.NewClient(&redis.Options{Addr: addr}) }

func (z sortedSet) close() { z.client.Close() }

func (z sortedSet) arm(ctx context.Context, h hold) error {
	return z.client.ZAdd(ctx, zsetKey, redis.Z{Score: float64(h.Deadline.UnixMilli()), Member: payload(h)}).Err()
}

func (z sortedSet) work(ctx context.Context, s *store, ready func()) error {
	ready()
	for ctx.Err() == nil {
		due, err := z.client.ZRangeByScore(ctx, zsetKey, &redis.ZRangeBy{Min: "-inf", Max: strconv.FormatInt(time.Now().UnixMilli(), 10), Count: zsetMost}).Result()
		if err != nil {
			return err
		}
		for _, member := range due {
			taken, err := z.client.ZRem(ctx, zsetKey, member).Result()
			if err != nil {
				return err
			}
			if taken == 0 {
				continue
			}
			if err := endPayload(ctx, s, member); err != nil {
				return err
			}
		}
		if len(due) == 0 && !pause(ctx, zsetPoll) {
			return nil
		}
	}
	return nil
}

// keyExpiry keeps a key for each hold and listens for word that it has expired.
type keyExpiry struct{ client *redis.Client }

func (k keyExpiry) close() { k.client.Close() }

func (k keyExpiry) arm(ctx context.Context, h hold) error {
	return k.client.Set(ctx, keyStart+payload(h), 1, h.For).Err()
}

func (k keyExpiry) work(ctx context.Context, s *store, ready func()) error {
	// Redis tells nobody unless it is asked to.
	if err := k.client.ConfigSet(ctx, "notify-keyspace-events", "Ex").Err(); err != nil {
		return err
	}
	sub := k.client.Subscribe(ctx, "__keyevent@0__:expired")
	defer sub.Close()
	if _, err := sub.Receive(ctx); err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	ready()
	for {
		select {
		case m := <-sub.Channel():
			if m == nil {
				return nil
			}
			if err := endPayload(ctx, s, strings.TrimPrefix(m.Payload, keyStart)); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// taskQueue is asynq as it comes: it looks for delayed tasks every five seconds.
type taskQueue struct {
	addr   string
	client *asynq.Client
}

const taskName = "hold:end"

func newTaskQueue(addr string) taskQueue {
	return taskQueue{addr: addr, client: asynq.NewClient(asynq.RedisClientOpt{Addr: addr})}
}

func (q taskQueue) close() { q.client.Close() }

func (q taskQueue) arm(ctx context.Context, h hold) error {
	_, err := q.client.EnqueueContext(ctx, asynq.NewTask(taskName, []byte(payload(h))), asynq.ProcessIn(h.For))
	return err
}

func (q taskQueue) work(ctx context.Context, s *store, ready func()) error {
	server := asynq.NewServer(asynq.RedisClientOpt{Addr: q.addr}, asynq.Config{LogLevel: asynq.ErrorLevel})
	mux := asynq.NewServeMux()
	mux.HandleFunc(taskName, func(ctx context.Context, t *asynq.Task) error { return endPayload(ctx, s, string(t.Payload())) })
	if err := server.Start(mux); err != nil {
		return err
	}
	ready()
	<-ctx.Done()
	server.Shutdown()
	return nil
}

package main

import "fmt"

// contender is one way to end holds.
type contender struct {
	name   string
	about  string
	broker *broker                     // nil where none is needed
	ender  func(r role) (ender, error) // nil for courtd, which has no status to change
	watch  string                      // what an operator has to look after, in words
	count  int                         // how many processes that are
}

var contenders = []contender{
	{name: "cron scan every 60 s", count: 2, watch: "app, cron job",
		ender: func(r role) (ender, error) { return cronScan{anchor: r.Anchor}, nil }},
	{name: "Redis sorted set", broker: redisServer, count: 3, watch: "app, Redis, worker",
		ender: func(r role) (ender, error) { return sortedSet{newRedis(r.Addr)}, nil }},
	{name: "Redis key expiry events", broker: redisServer, count: 3, watch: "app, Redis, listener",
		ender: func(r role) (ender, error) { return keyExpiry{newRedis(r.Addr)}, nil }},
	{name: "asynq", broker: redisServer, count: 3, watch: "app, Redis, asynq server",
		ender: func(r role) (ender, error) { return newTaskQueue(r.Addr), nil }},
	{name: "beanstalkd", broker: beanstalkd, count: 3, watch: "app, beanstalkd, worker",
		ender: func(r role) (ender, error) { return newDelayedJobs(r.Addr) }},
	{name: "RabbitMQ TTL + DLX", broker: rabbitServer, count: 4, watch: "app, RabbitMQ, epmd, consumer",
		ender: func(r role) (ender, error) { return newDeadLetters(r.Addr) }},
	{name: "courtd", count: 1, watch: "courtd"},
}

func contenderNamed(name string) (contender, error) {
	for _, c := range contenders {
		if c.name == name {
			return c, nil
		}
	}
	return contender{}, fmt.Errorf("no contender is called %q", name)
}

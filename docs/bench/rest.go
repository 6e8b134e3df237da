package main

import "context"

func measureHistory(ctx context.Context, b *bench) error { return nil }
func measureRound(ctx context.Context, b *bench) error   { return nil }
func measureLapse(ctx context.Context, b *bench) error   { return nil }
func measureRush(ctx context.Context, b *bench) error    { return nil }

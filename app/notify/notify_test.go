package notify_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"courtd/app/notify"
)

func TestLogSend(t *testing.T) {
	var out bytes.Buffer
	var channel notify.Channel = notify.NewLog(slog.New(slog.NewTextHandler(&out, nil)))
	message := notify.Message{ID: "n-1", Kind: "paid", CustomerName: "王小明", Phone: "13812345678", Title: "预订成功", Text: "订单 1210-0042 已确认"}
	if err := channel.Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	line := out.String()
	for _, want := range []string{"id=n-1", "kind=paid", "138****5678", "预订成功", "1210-0042"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is missing in %s", want, line)
		}
	}
	for _, private := range []string{"13812345678", "王小明"} {
		if strings.Contains(line, private) {
			t.Errorf("%q is in the log: %s", private, line)
		}
	}
	if channel.Name() != "log" {
		t.Errorf("name is %q", channel.Name())
	}
}

func TestLogSendStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := notify.NewLog(slog.New(slog.NewTextHandler(&out, nil))).Send(ctx, notify.Message{ID: "n-1"}); err == nil {
		t.Fatal("a message was sent after the stop")
	}
	if out.Len() != 0 {
		t.Fatalf("wrote %s", out.String())
	}
}

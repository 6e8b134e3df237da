package sms

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"courtd/app/notify"
)

const noPackages = `{"Response":{"SmsPackagesStatisticsSet":[],"RequestId":"r"}}`

func TestTencentProbe(t *testing.T) {
	s := newTencent(t)
	s.action, s.answer = "SmsPackagesStatistics", noPackages
	if err := s.channel().Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"SmsSdkAppId": "1400006666", "Limit": 1.0, "Offset": 0.0, "BeginTime": "2026121015", "EndTime": "2026121016"}
	if s.calls != 1 || !reflect.DeepEqual(s.seen, want) {
		t.Errorf("%d calls, the last with %v; want %v", s.calls, s.seen, want)
	}
	for code, words := range map[string]string{
		"AuthFailure.SecretIdNotFound": "SecretId or SecretKey", "AuthFailure.SignatureFailure": "SecretId or SecretKey", "AuthFailure.SignatureExpire": "clock is wrong",
		"UnauthorizedOperation.SmsSdkAppIdVerifyFail": "not this account's", "UnauthorizedOperation.SmsSdkAppidVerifyFail": "may not send", "UnauthorizedOperation.RequestIpNotInWhitelist": "address",
		"InvalidParameterValue.SdkAppIdNotExist": "no such SdkAppId", "UnsupportedRegion": "no such region", "InternalError.Timeout": "an error at Tencent", "RequestLimitExceeded": "too many",
		"AuthFailure.UnauthorizedOperation": "", "UnauthorizedOperation.RequestPermissionDeny": "", "InvalidParameter": "", "UnsupportedOperation": "",
	} {
		s.answer = failed(code)
		err := s.channel().Probe(t.Context())
		leaks(t, err, tencentID, tencentKey)
		if words == "" && err != nil || words != "" && (!errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), words)) {
			t.Errorf("%s: %v, want %q", code, err, words)
		}
	}
	for name, answer := range map[string]string{"no JSON": "<html>", "something else": `{"Response":{}}`, "empty": ""} {
		s.answer = answer
		if err := s.channel().Probe(t.Context()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTencentProbeOfWhatIsWrong(t *testing.T) {
	s := newTencent(t)
	s.action, s.answer, s.locked = "SmsPackagesStatistics", noPackages, true
	another := s.channel().config
	another.SecretKey = "another" + tencentKey
	if err := NewTencent(another).Probe(t.Context()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "SecretKey is not accepted") {
		t.Errorf("another key: %v", err)
	}
	if err := NewTencent(TencentConfig{}).Probe(t.Context()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "is not set up") {
		t.Errorf("not set up: %v", err)
	}
	s.Close()
	if err := s.channel().Probe(t.Context()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("nobody there: %v", err)
	}
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer slow.Close()
	defer close(held)
	s.Server.URL = slow.URL
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.channel().Probe(ctx); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("too slow: %v", err)
	}
}

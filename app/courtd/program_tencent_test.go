package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestTheCheckAsksTencent: a question that sends nothing shows whether the key is right.
func TestTheCheckAsksTencent(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	answer := `{"Response":{"SmsPackagesStatisticsSet":[],"RequestId":"r"}}`
	tencent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Header.Get("X-TC-Action"))
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(tencent.Close)
	file := filepath.Join(t.TempDir(), "venue.db")
	if status, _, complaints := programRun(t, nil, "init", "--db", file, "--name", "馆"); status != 0 {
		t.Fatal(complaints)
	}
	env := []string{"COURTD_SMS_TENCENT_SECRET_ID=AKIDexample", "COURTD_SMS_TENCENT_SECRET_KEY=hunter2hunter2", "COURTD_SMS_TENCENT_APP_ID=1400006666", "COURTD_SMS_TENCENT_SIGN=晨光",
		"COURTD_SMS_TENCENT_BASE_URL=" + tencent.URL}
	check := func(words string, args ...string) {
		t.Helper()
		_, out, _ := programRun(t, env, append([]string{"check", "--db", file}, args...)...)
		if !strings.Contains(out, words) || strings.Contains(out, "hunter2") {
			t.Errorf("want %q: %s", words, out)
		}
	}
	check("✓ 短信：设置完整，没有询问", "--offline")
	if asked.Load() != nil {
		t.Error("somebody outside was asked")
	}
	check("✓ 短信：已询问")
	if asked.Load() != "SmsPackagesStatistics" {
		t.Errorf("%v was asked", asked.Load())
	}
	answer = `{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure","Message":"of AKIDexample"},"RequestId":"r"}}`
	check("✗ 短信：没有通过检查：渠道不可用")
	tencent.Close()
	check("该地址无服务在监听 · SMS: ")
}

package sms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	tcerrors "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/errors"
	tchttp "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/http"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"

	"courtd/app/notify"
	"courtd/app/notify/outpost"
)

const (
	// tencentEndpoint is where Tencent Cloud takes text messages.
	tencentEndpoint = "https://sms.tencentcloudapi.com"
	// tencentRegion is the region that is asked; messages go everywhere from it.
	tencentRegion  = "ap-guangzhou"
	tencentTimeout = 10 * time.Second
	// mostAnswer is how much of an answer is read, in bytes.
	mostAnswer = 1 << 20
)

// TencentConfig is an account at Tencent Cloud with an application for text messages.
type TencentConfig struct {
	SecretID  string           // COURTD_SMS_TENCENT_SECRET_ID
	SecretKey string           // COURTD_SMS_TENCENT_SECRET_KEY
	AppID     string           // COURTD_SMS_TENCENT_APP_ID: the SdkAppId, digits
	SignName  string           // COURTD_SMS_TENCENT_SIGN: the approved signature, without 【】
	Endpoint  string           // COURTD_SMS_TENCENT_BASE_URL: scheme and host; "" is Tencent's own
	Region    string           // COURTD_SMS_TENCENT_REGION; "" is ap-guangzhou
	Now       func() time.Time // the instant that is signed
}

// Check says everything that is wrong with the settings; nothing is nil. It repeats no
// setting's value.
func (c TencentConfig) Check() []notify.Problem {
	var problems []notify.Problem
	add := func(bad bool, setting, zh, en string) {
		if bad {
			problems = append(problems, notify.Problem{Setting: "COURTD_SMS_TENCENT_" + setting, ZH: zh, EN: en})
		}
	}
	spaced := func(s string) bool { return s == "" || strings.ContainsAny(s, " \t\r\n") }
	add(spaced(c.SecretID), "SECRET_ID", "缺少腾讯云 SecretId，或其中有空格", "Tencent Cloud's SecretId is missing or contains spaces")
	add(spaced(c.SecretKey), "SECRET_KEY", "缺少腾讯云 SecretKey，或其中有空格", "Tencent Cloud's SecretKey is missing or contains spaces")
	add(c.AppID == "" || strings.Trim(c.AppID, "0123456789") != "", "APP_ID", "短信应用的 SdkAppId 必须是数字", "the SdkAppId of the SMS application must be digits")
	add(strings.TrimSpace(c.SignName) == "", "SIGN", "缺少已审核的短信签名", "the approved signature is missing")
	add(strings.ContainsAny(c.SignName, "【】[]"), "SIGN", "短信签名不要带括号【】", "the signature must be without brackets")
	add(strings.ContainsAny(c.Region, " /."), "REGION", "地域名称不正确，例如 ap-guangzhou", "the region must be a name such as ap-guangzhou")
	if c.Endpoint != "" {
		zh, en := outpost.CheckURL(c.Endpoint)
		u, _ := url.Parse(c.Endpoint)
		if en == "" && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "") {
			zh, en = "只能有协议和主机，不带路径", "must be a scheme and a host without a path"
		}
		add(en != "", "BASE_URL", "接口地址"+zh, "the endpoint "+en)
	}
	return problems
}

// Tencent sends messages by Tencent Cloud. There a text message is an approved template
// and its parameters in order, never words of one's own.
type Tencent struct {
	config TencentConfig
	client *common.Client
	host   *url.URL
}

var _ notify.Channel = (*Tencent)(nil)

// NewTencent makes the channel. What Check finds makes every Send a notify.ErrDown.
func NewTencent(c TencentConfig) *Tencent {
	if c.Endpoint == "" {
		c.Endpoint = tencentEndpoint
	}
	if c.Region == "" {
		c.Region = tencentRegion
	}
	t := &Tencent{config: c}
	if len(c.Check()) > 0 {
		return t
	}
	t.host, _ = url.Parse(c.Endpoint)
	p := profile.NewClientProfile()
	p.HttpProfile.Scheme, p.HttpProfile.Endpoint = strings.ToUpper(t.host.Scheme), t.host.Host
	p.HttpProfile.ReqTimeout = int(tencentTimeout / time.Second)
	t.client = common.NewCommonClient(common.NewCredential(c.SecretID, c.SecretKey), c.Region, p)
	t.client.WithHttpTransport(bounded{outpost.NewClient().Transport})
	return t
}

// Name is the channel's name in reports.
func (*Tencent) Name() string { return Name }

// tencentAnswer is what is used of an answer.
type tencentAnswer struct {
	Response struct {
		SendStatusSet []struct{ Code string }
		RequestID     string `json:"RequestId"`
	}
}

// Send sends the message once. It is a notify.ErrRefused without a template, for a number
// that is no mobile's or that Tencent will not reach (unknown, on its blacklist, over its
// daily limit), and for parameters that the template does not take; a notify.LaterError
// or notify.ErrDown if the account, its signature, the template or the balance is at
// fault, or nobody answers. Tencent does not tell a repetition, so that a message whose
// answer got lost may arrive twice.
func (t *Tencent) Send(ctx context.Context, message notify.Message) error {
	if t.client == nil {
		return fmt.Errorf("%w: Tencent SMS is not set up: %s", notify.ErrDown, t.config.Check()[0].EN)
	}
	if message.Template == nil || message.Template.ID == "" {
		return fmt.Errorf("%w: Tencent SMS needs an approved template for %q, and none is set up", notify.ErrRefused, message.Kind)
	}
	phone, err := E164(message.Phone)
	if err != nil {
		return err
	}
	answer, code, err := t.call(ctx, "SendSms", map[string]any{
		"SmsSdkAppId": t.config.AppID, "SignName": t.config.SignName, "TemplateId": message.Template.ID,
		"TemplateParamSet": params(message.Template), "PhoneNumberSet": []string{phone},
	})
	switch {
	case err != nil:
		return err
	case code != "":
		return judge(code, message.Template.ID)
	case len(answer.Response.SendStatusSet) != 1:
		return errTencentAnswer
	}
	return judge(answer.Response.SendStatusSet[0].Code, message.Template.ID)
}

// errTencentAnswer stands for an answer that makes no sense.
var errTencentAnswer = fmt.Errorf("%w: Tencent SMS gave an answer that cannot be read", notify.ErrDown)

// call makes one request. It gives the answer, or the code of Tencent's refusal, or why
// there is neither. The library's own errors repeat addresses and answers, and are not
// passed on.
func (t *Tencent) call(ctx context.Context, action string, parameters map[string]any) (answer tencentAnswer, code string, err error) {
	request := tchttp.NewCommonRequest("sms", "2021-01-11", action)
	if err := request.SetActionParameters(parameters); err != nil {
		return answer, "", fmt.Errorf("%w: the message cannot be written as JSON", notify.ErrRefused)
	}
	ctx, cancel := context.WithTimeout(ctx, tencentTimeout)
	defer cancel()
	request.SetContext(ctx)
	// The library would read the clock itself.
	request.SetHeader(map[string]string{"X-TC-Timestamp": strconv.FormatInt(t.config.Now().Unix(), 10)})
	response := tchttp.NewCommonResponse()
	err = t.client.Send(request, response)
	var problem *tcerrors.TencentCloudSDKError
	switch {
	case err == nil && json.Unmarshal(response.GetBody(), &answer) == nil:
		return answer, "", nil
	case errors.Is(err, errRedirect):
		return answer, "", fmt.Errorf("%w: Tencent SMS: %w", notify.ErrDown, errRedirect)
	case err == nil, errors.As(err, &problem) && strings.HasPrefix(problem.Code, "ClientError") && problem.Code != "ClientError.NetworkError":
		return answer, "", errTencentAnswer
	case problem == nil || problem.Code == "ClientError.NetworkError":
		return answer, "", fmt.Errorf("Tencent SMS: %w", outpost.Unreached(err))
	}
	return answer, problem.Code, nil
}

// chinaTime is Tencent's.
var chinaTime = time.FixedZone("CST", 8*3600)

// Probe asks which packages of messages were bought within an hour, which sends, changes
// and costs nothing, but shows whether Tencent accepts the SecretId, the SecretKey, this
// machine's clock, the region and the SdkAppId. Whether the signature is approved it does
// not show. A key that may send and ask nothing else is fine too: to be told so, it has to
// be known.
func (t *Tencent) Probe(ctx context.Context) error {
	if t.client == nil {
		return fmt.Errorf("%w: Tencent SMS is not set up: %s", notify.ErrDown, t.config.Check()[0].EN)
	}
	now, hour := t.config.Now().In(chinaTime), "2006010215"
	answer, code, err := t.call(ctx, "SmsPackagesStatistics", map[string]any{"SmsSdkAppId": t.config.AppID, "Limit": 1, "Offset": 0,
		"BeginTime": now.Add(-2 * time.Hour).Format(hour), "EndTime": now.Add(-time.Hour).Format(hour)})
	switch {
	case err != nil:
		return err
	case code == "" && answer.Response.RequestID == "":
		return errTencentAnswer
	case code == "" || slices.Contains(mayNotAsk, code):
		return nil
	case strings.HasPrefix(code, "UnsupportedRegion"):
		return fmt.Errorf("%w: Tencent SMS: %s: there is no such region", notify.ErrDown, code)
	}
	// That the question is no good is not the account's fault.
	if err = judge(code, ""); !errors.Is(err, notify.ErrDown) {
		return nil
	}
	return err
}

// mayNotAsk are the refusals of a key that is known and may not make a call.
var mayNotAsk = []string{"AuthFailure.UnauthorizedOperation", "UnauthorizedOperation", "UnauthorizedOperation.RequestPermissionDeny"}

var tencentCode = regexp.MustCompile(`^[A-Za-z]{1,40}(\.[A-Za-z0-9]{1,60})?$`)

// judge says what a code of Tencent's means; "Ok" is nil.
func judge(code, template string) error {
	if code == "Ok" {
		return nil
	}
	if !tencentCode.MatchString(code) {
		return fmt.Errorf("%w: Tencent SMS gave a code that cannot be read", notify.ErrDown)
	}
	problem := fmt.Errorf("Tencent SMS: %s", code)
	for _, known := range tencentCodes {
		if !strings.HasPrefix(code, known.prefix) {
			continue
		}
		if known.words != "" {
			problem = fmt.Errorf("%w: %s", problem, known.words)
		}
		if known.template {
			problem = fmt.Errorf("%w (template %s)", problem, notify.OneLine(template, 20))
		}
		switch {
		case known.later > 0:
			return notify.LaterError{After: known.later, Err: problem}
		case known.sentinel != nil:
			return fmt.Errorf("%w: %w", known.sentinel, problem)
		}
		return problem
	}
	return problem
}

// bounded keeps an answer from being endless or leading elsewhere: the library would read
// all of it and follow.
type bounded struct{ http.RoundTripper }

// errRedirect stands for an answer that leads elsewhere.
var errRedirect = errors.New("redirects are not followed")

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		_ = response.Body.Close()
		return nil, errRedirect
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, response.Body, mostAnswer))
	_ = response.Body.Close()
	if err != nil && !errors.As(err, new(*http.MaxBytesError)) {
		return nil, err
	}
	// The library falls over JSON that is no object.
	var answer map[string]json.RawMessage
	if err != nil || json.Unmarshal(body, &answer) != nil || answer == nil {
		body = []byte("{")
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

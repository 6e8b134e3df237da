package wechat

import (
	"context"
	"crypto/sha1" //nolint:gosec // WeChat names the digest of a bill in SHA-1; it guards against damage only
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/wechatpay-apiv3/wechatpay-go/core"

	"courtd/app/pay/wechat/bill"
)

// Errors of FetchTradeBill.
var (
	// ErrNoBill says that there was no trade on that day.
	ErrNoBill = bill.ErrNone
	// ErrBillNotReady says that the bill is still being made: ask after ten in the morning.
	ErrBillNotReady = bill.ErrNotReady
)

var billDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// FetchTradeBill gives the bytes of the bill of one day ("2006-01-02", in China):
// every payment and every refund, as CSV. What arrives is checked against the digest
// that WeChat has signed. ErrNoBill and ErrBillNotReady are answers, not faults.
func (p *Provider) FetchTradeBill(ctx context.Context, date string) ([]byte, error) {
	if !billDate.MatchString(date) {
		return nil, fmt.Errorf("wechat pay: %q is not a day", oneLine(date, 20))
	}
	doing := "fetching the bill of " + date
	ask := DefaultBaseURL + "/v3/bill/tradebill?" + url.Values{"bill_date": {date}, "bill_type": {"ALL"}}.Encode()
	answer, err := p.get(ctx, p.client, doing, ask)
	switch {
	case isCode(err, "NOSTATEMENTEXIST"):
		return nil, fmt.Errorf("wechat pay: %s: %w", doing, ErrNoBill)
	case isCode(err, "STATEMENTCREATING"):
		return nil, fmt.Errorf("wechat pay: %s: %w", doing, ErrBillNotReady)
	case err != nil:
		return nil, err
	}
	var told struct {
		HashType    string `json:"hash_type"`
		HashValue   string `json:"hash_value"`
		DownloadURL string `json:"download_url"`
	}
	if json.Unmarshal(answer, &told) != nil || told.DownloadURL == "" || told.HashType != "SHA1" {
		return nil, fmt.Errorf("wechat pay: %s: the answer cannot be read", doing)
	}
	file, err := p.get(ctx, p.unchecked, doing, told.DownloadURL)
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum(file) //nolint:gosec // see above
	if !strings.EqualFold(hex.EncodeToString(sum[:]), told.HashValue) {
		return nil, fmt.Errorf("wechat pay: %s: what was downloaded is damaged", doing)
	}
	return file, nil
}

// get gives the body of an answer.
func (p *Provider) get(ctx context.Context, client *core.Client, doing, address string) ([]byte, error) {
	body, _, err := call(p, doing, "", func() ([]byte, *core.APIResult, error) {
		result, err := client.Get(ctx, address)
		if err != nil {
			return nil, result, err
		}
		defer result.Response.Body.Close() //nolint:errcheck // it was read
		body, err := io.ReadAll(result.Response.Body)
		return body, result, err
	})
	return body, err
}

package wechat

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/wechatpay-apiv3/wechatpay-go/core/auth"
	"github.com/wechatpay-apiv3/wechatpay-go/core/consts"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"courtd/app/pay"
)

// keys are all the keys under which WeChat Pay may sign, by public key id or
// certificate serial number. Several are in use at once while keys change.
type keys struct {
	bySerial map[string]*rsa.PublicKey
	named    string // the one that outgoing calls name
}

var _ auth.Verifier = keys{}

func keysOf(c Config) keys {
	k := keys{bySerial: map[string]*rsa.PublicKey{}, named: c.PublicKeyID}
	for _, certificate := range c.Certificates {
		if key, ok := certificate.PublicKey.(*rsa.PublicKey); ok {
			k.bySerial[strings.ToUpper(utils.GetCertificateSerialNumber(*certificate))] = key
		}
	}
	for id, key := range c.PublicKeys {
		k.bySerial[strings.ToUpper(id)] = key
	}
	return k
}

func (k keys) find(serial string) (*rsa.PublicKey, bool) {
	key, ok := k.bySerial[strings.ToUpper(strings.TrimSpace(serial))]
	return key, ok
}

// Verify checks a signature in base64 over a message under the key of this serial.
func (k keys) Verify(_ context.Context, serial, message, signature string) error {
	key, ok := k.find(serial)
	if !ok {
		return errors.New("the key is not set up here")
	}
	bytes, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return errors.New("the signature is not base64")
	}
	sum := sha256.Sum256([]byte(message))
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], bytes); err != nil {
		return errors.New("the signature does not fit")
	}
	return nil
}

// GetSerial is the id that outgoing calls name.
func (k keys) GetSerial(context.Context) (string, error) { return k.named, nil }

// probePrefix begins the signatures that WeChat sends to see whether they are checked.
const probePrefix = "WECHATPAY/SIGNTEST/"

// rsaSignatures is the one kind of signature that is understood; it is also meant
// when none is named.
const rsaSignatures = "WECHATPAY2-SHA256-RSA2048"

// whyRefused says which refusal a message deserves that WeChat's library has refused
// already. That its time is at fault follows, without a clock, from nothing else
// being at fault.
func (k keys) whyRefused(header func(string) string, body []byte) error {
	serial, signature := strings.TrimSpace(header(consts.WechatPaySerial)), strings.TrimSpace(header(consts.WechatPaySignature))
	timestamp, nonce := strings.TrimSpace(header(consts.WechatPayTimestamp)), strings.TrimSpace(header(consts.WechatPayNonce))
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || serial == "" || signature == "" || nonce == "" || strings.HasPrefix(signature, probePrefix) {
		return pay.ErrBadSignature
	}
	if _, ok := k.find(serial); !ok {
		return pay.ErrUnknownKey
	}
	if k.Verify(context.Background(), serial, fmt.Sprintf("%d\n%s\n%s\n", at, nonce, body), signature) == nil {
		return pay.ErrClockDrift
	}
	return pay.ErrBadSignature
}

package wechat_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"courtd/app/pay/wechat"
)

// write writes a file that only its owner reads, and gives its name.
func write(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must(t, os.WriteFile(path, text, 0o600))
	return path
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func pkcs8(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return block("PRIVATE KEY", der)
}

func publicPEM(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	must(t, err)
	return block("PUBLIC KEY", der)
}

func goodFiles(t *testing.T, dir string) wechat.Files {
	t.Helper()
	return wechat.Files{MchID: mchID, Serial: strings.ToLower(serial), AppID: appID, NotifyURL: notifyTo,
		KeyFile: write(t, dir, "apiclient_key.pem", pkcs8(t, merchantKey())), APIv3KeyFile: write(t, dir, "v3", []byte(apiV3Key+"\n")),
		PublicKeyID: keyID, PublicKeyFile: write(t, dir, "pub_key.pem", publicPEM(t, &wechatKey().PublicKey)),
		PublicKeyID2: keyID2, PublicKeyFile2: write(t, dir, "pub_key2.pem", publicPEM(t, &secondKey().PublicKey)),
		CertificateFiles: []string{write(t, dir, "cert.pem", block("CERTIFICATE", certificate(t, 7, oldCertKey()).Raw))}}
}

func TestLoadWhatIsRight(t *testing.T) {
	dir := t.TempDir()
	f := goodFiles(t, dir)
	c, list := wechat.Load(f)
	if list != nil || c.APIv3Key != apiV3Key || len(c.PublicKeys) != 2 || len(c.Certificates) != 1 {
		t.Fatalf("problems: %v", list)
	}
	_, err := wechat.New(c)
	must(t, err)
	f.KeyFile = write(t, dir, "pkcs1.pem", block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(merchantKey())))
	f.APIv3KeyFile, f.APIv3Key, f.NotifyURL = "", apiV3Key, "http://127.0.0.1:8080/pay/wechat/notify"
	if _, list := wechat.Load(f); list != nil {
		t.Errorf("problems: %v", list)
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	cert := block("CERTIFICATE", certificate(t, 8, merchantKey()).Raw)
	own := publicPEM(t, &merchantKey().PublicKey)
	open := write(t, dir, "open.pem", pkcs8(t, merchantKey()))
	must(t, os.Chmod(open, 0o644))
	file := func(name string, text []byte) string { return write(t, dir, name, text) }
	for name, c := range map[string]struct {
		change         func(*wechat.Files)
		setting, words string
		warning        bool
	}{
		"no merchant":         {func(f *wechat.Files) { f.MchID = "" }, wechat.SettingMchID, "没有设置", false},
		"merchant of letters": {func(f *wechat.Files) { f.MchID = apiV3Key }, wechat.SettingMchID, "8 到 10 位数字", false},
		"serial":              {func(f *wechat.Files) { f.Serial = "12345" }, wechat.SettingSerial, "40 hex", false},
		"app":                 {func(f *wechat.Files) { f.AppID = "gh_123456" }, wechat.SettingAppID, "wx", false},
		"no key file":         {func(f *wechat.Files) { f.KeyFile = "" }, wechat.SettingKeyFile, "没有设置", false},
		"file not there":      {func(f *wechat.Files) { f.KeyFile = dir + "/none" }, wechat.SettingKeyFile, "does not exist", false},
		"a folder":            {func(f *wechat.Files) { f.KeyFile = dir }, wechat.SettingKeyFile, "is not a file", false},
		"empty file":          {func(f *wechat.Files) { f.KeyFile = file("empty", nil) }, wechat.SettingKeyFile, "empty", false},
		"key in the setting":  {func(f *wechat.Files) { f.KeyFile = string(pkcs8(t, merchantKey())) }, wechat.SettingKeyFile, "name of the file", false},
		"everybody reads":     {func(f *wechat.Files) { f.KeyFile = open }, wechat.SettingKeyFile, "chmod 600", true},
		"not PEM":             {func(f *wechat.Files) { f.KeyFile = file("p12", []byte{0x30, 0x82}) }, wechat.SettingKeyFile, "-----BEGIN", false},
		"a certificate":       {func(f *wechat.Files) { f.KeyFile = file("c", cert) }, wechat.SettingKeyFile, "apiclient_cert.pem", false},
		"a public key":        {func(f *wechat.Files) { f.KeyFile = file("p", own) }, wechat.SettingKeyFile, "is a public key", false},
		"encrypted":           {func(f *wechat.Files) { f.KeyFile = file("e", block("ENCRYPTED PRIVATE KEY", []byte{1})) }, wechat.SettingKeyFile, "password", false},
		"damaged":             {func(f *wechat.Files) { f.KeyFile = file("d", block("PRIVATE KEY", []byte{1})) }, wechat.SettingKeyFile, "damaged", false},
		"a curve":             {func(f *wechat.Files) { f.KeyFile = file("ec", pkcs8(t, curve)) }, wechat.SettingKeyFile, "not an RSA", false},
		"small":               {func(f *wechat.Files) { f.KeyFile = file("s", pkcs8(t, small)) }, wechat.SettingKeyFile, "2048", false},
		"no APIv3 key":        {func(f *wechat.Files) { f.APIv3KeyFile = "" }, wechat.SettingAPIv3Key, "没有设置", false},
		"two APIv3 keys":      {func(f *wechat.Files) { f.APIv3Key = apiV3Key }, wechat.SettingAPIv3KeyFile, "both set", false},
		"short APIv3 key":     {func(f *wechat.Files) { f.APIv3KeyFile, f.APIv3Key = "", apiV3Key[1:] }, wechat.SettingAPIv3Key, "32", false},
		"short key in a file": {func(f *wechat.Files) { f.APIv3KeyFile = file("v", []byte("x")) }, wechat.SettingAPIv3KeyFile, "32", false},
		"key for a file":      {func(f *wechat.Files) { f.APIv3KeyFile = apiV3Key }, wechat.SettingAPIv3KeyFile, "does not exist", false},
		"public key id":       {func(f *wechat.Files) { f.PublicKeyID = serial }, wechat.SettingPublicKeyID, "PUB_KEY_ID_", false},
		"own public key":      {func(f *wechat.Files) { f.PublicKeyFile = file("own", own) }, wechat.SettingPublicKeyFile, "merchant's own", false},
		"a cert for a key":    {func(f *wechat.Files) { f.PublicKeyFile = file("c2", cert) }, wechat.SettingPublicKeyFile, wechat.SettingCertificates, false},
		"private for public":  {func(f *wechat.Files) { f.PublicKeyFile = file("k2", pkcs8(t, strangerKey())) }, wechat.SettingPublicKeyFile, "private key", false},
		"small public key":    {func(f *wechat.Files) { f.PublicKeyFile = file("s2", publicPEM(t, &small.PublicKey)) }, wechat.SettingPublicKeyFile, "2048", false},
		"second without file": {func(f *wechat.Files) { f.PublicKeyFile2 = "" }, wechat.SettingPublicKeyFile2, "没有设置", false},
		"second without id":   {func(f *wechat.Files) { f.PublicKeyID2 = "" }, wechat.SettingPublicKeyID2, "没有设置", false},
		"the same id twice":   {func(f *wechat.Files) { f.PublicKeyID2 = keyID }, wechat.SettingPublicKeyID2, "same", false},
		"key for a cert":      {func(f *wechat.Files) { f.CertificateFiles[0] = f.PublicKeyFile }, wechat.SettingCertificates, "file 1", false},
		"no address":          {func(f *wechat.Files) { f.NotifyURL = "" }, wechat.SettingNotifyURL, "没有设置", false},
		"plain http":          {func(f *wechat.Files) { f.NotifyURL = "http://club.example/notify" }, wechat.SettingNotifyURL, "https://", false},
		"a query":             {func(f *wechat.Files) { f.NotifyURL += "?a=b" }, wechat.SettingNotifyURL, "query", false},
		"no address at all":   {func(f *wechat.Files) { f.NotifyURL = "club" }, wechat.SettingNotifyURL, "is not an address", false},
		"base over http":      {func(f *wechat.Files) { f.BaseURL = "http://club.example" }, wechat.SettingBaseURL, "https://", false},
		"base with a path":    {func(f *wechat.Files) { f.BaseURL = "https://club.example/v3" }, wechat.SettingBaseURL, "path", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := goodFiles(t, t.TempDir())
			c.change(&f)
			config, list := wechat.Load(f)
			if len(list) != 1 {
				t.Errorf("problems: %v", list)
			}
			for _, p := range list {
				if strings.Contains(p.String(), apiV3Key[1:]) || strings.Contains(p.String(), "MII") {
					t.Errorf("tells a secret: %v", p)
				}
			}
			if len(list) == 1 && (list[0].Setting != c.setting || list[0].Warning != c.warning || !strings.Contains(list[0].String(), c.words)) {
				t.Errorf("got %+v", list[0])
			}
			if _, err := wechat.New(config); err == nil && !c.warning && !strings.Contains(name, "second") && !strings.Contains(name, "twice") && name != "key for a cert" {
				t.Error("New takes it all the same")
			}
		})
	}
}

func TestLoadReportsEverything(t *testing.T) {
	_, list := wechat.Load(wechat.Files{})
	if len(list) != 8 {
		t.Errorf("%d problems: %v", len(list), list)
	}
}

package wechat_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
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
	if _, list := wechat.Load(f); len(list) != 1 || !list[0].Warning {
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
		"a curve of SEC 1":    {func(f *wechat.Files) { f.KeyFile = file("sec1", sec1(t, curve)) }, wechat.SettingKeyFile, "not an RSA", false},
		"a curve of openssl": {func(f *wechat.Files) {
			f.KeyFile = file("ossl", append(block("EC PARAMETERS", []byte{6, 1, 1}), sec1(t, curve)...))
		}, wechat.SettingKeyFile, "不是 RSA 私钥", false},
		"SM2":                 {func(f *wechat.Files) { f.KeyFile = file("sm2", block("PRIVATE KEY", sm2(t, true))) }, wechat.SettingKeyFile, "SM2", false},
		"an OpenSSH key":      {func(f *wechat.Files) { f.KeyFile = file("ssh", block("OPENSSH PRIVATE KEY", []byte("openssh-key-v1"))) }, wechat.SettingKeyFile, "not an RSA", false},
		"a request":           {func(f *wechat.Files) { f.KeyFile = file("csr", block("CERTIFICATE REQUEST", []byte{1})) }, wechat.SettingKeyFile, "is not a private key;", false},
		"cut off":             {func(f *wechat.Files) { f.KeyFile = file("cut", pkcs8(t, merchantKey())[:500]) }, wechat.SettingKeyFile, "cut off", false},
		"UTF-16":              {func(f *wechat.Files) { f.KeyFile = file("u16", utf16le(pkcs8(t, merchantKey()))) }, wechat.SettingKeyFile, "UTF-16", false},
		"UTF-16 of a secret":  {func(f *wechat.Files) { f.APIv3KeyFile = file("u16v3", utf16le([]byte(apiV3Key))) }, wechat.SettingAPIv3KeyFile, "UTF-16", false},
		"a public curve":      {func(f *wechat.Files) { f.PublicKeyFile = file("pc", publicPEM(t, &curve.PublicKey)) }, wechat.SettingPublicKeyFile, "not an RSA", false},
		"public SM2":          {func(f *wechat.Files) { f.PublicKeyFile = file("ps", block("PUBLIC KEY", sm2(t, false))) }, wechat.SettingPublicKeyFile, "不是 RSA 公钥", false},
		"a damaged public":    {func(f *wechat.Files) { f.PublicKeyFile = file("pd", block("PUBLIC KEY", []byte{1})) }, wechat.SettingPublicKeyFile, "damaged", false},
		"a secret for a cert": {func(f *wechat.Files) { f.CertificateFiles[0] = f.KeyFile }, wechat.SettingCertificates, "a private key where", false},
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
		"this machine":        {func(f *wechat.Files) { f.NotifyURL = "http://localhost:8080/pay/wechat/notify" }, wechat.SettingNotifyURL, "本机或内网", true},
		"this machine again":  {func(f *wechat.Files) { f.NotifyURL = "https://[::1]/pay/wechat/notify" }, wechat.SettingNotifyURL, "from outside", true},
		"a private network":   {func(f *wechat.Files) { f.NotifyURL = "https://192.168.1.20/pay/wechat/notify" }, wechat.SettingNotifyURL, "private network", true},
		"a private network 2": {func(f *wechat.Files) { f.NotifyURL = "https://[::ffff:10.0.0.1]/pay/wechat/notify" }, wechat.SettingNotifyURL, "private network", true},
		"a shared address":    {func(f *wechat.Files) { f.NotifyURL = "https://100.100.1.1/pay/wechat/notify" }, wechat.SettingNotifyURL, "private network", true},
		"a name at home":      {func(f *wechat.Files) { f.NotifyURL = "https://nas.local./pay/wechat/notify" }, wechat.SettingNotifyURL, "private network", true},
		"a name of a machine": {func(f *wechat.Files) { f.NotifyURL = "https://server/pay/wechat/notify" }, wechat.SettingNotifyURL, "private network", true},
		"a query, at home":    {func(f *wechat.Files) { f.NotifyURL = "https://localhost/pay/wechat/notify?x" }, wechat.SettingNotifyURL, "query", false},
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
			if _, err := wechat.New(config); err == nil && !c.warning && !strings.Contains(name, "second") && !strings.Contains(name, "twice") && !strings.HasSuffix(name, " for a cert") {
				t.Error("New takes it all the same")
			}
		})
	}
}

func sec1(t *testing.T, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	return block("EC PRIVATE KEY", der)
}

// sm2 is a key of China's own curve, which the standard library does not know.
func sm2(t *testing.T, private bool) []byte {
	t.Helper()
	curve, err := asn1.Marshal(asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301})
	must(t, err)
	algorithm := pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}, Parameters: asn1.RawValue{FullBytes: curve}}
	var key any = struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}{algorithm, asn1.BitString{Bytes: make([]byte, 65), BitLength: 65 * 8}}
	if private {
		key = struct {
			Version   int
			Algorithm pkix.AlgorithmIdentifier
			Key       []byte
		}{0, algorithm, make([]byte, 100)}
	}
	der, err := asn1.Marshal(key)
	must(t, err)
	return der
}

func utf16le(text []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, b := range text {
		out = append(out, b, 0)
	}
	return out
}

// TestFilesOfWindows: a byte order mark, line ends of two characters and spaces around are
// no fault; nor are texts before a key, or other things in its file.
func TestFilesOfWindows(t *testing.T) {
	dir := t.TempDir()
	f := goodFiles(t, dir)
	other := block("CERTIFICATE", certificate(t, 9, strangerKey()).Raw)
	for name, spoil := range map[string]func([]byte) []byte{
		"a byte order mark": func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
		"CRLF":              func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"both": func(b []byte) []byte {
			return append([]byte("\ufeff"), bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))...)
		},
		"spaces around": func(b []byte) []byte { return append([]byte("\ufeff \r\n  "), append(b, " \r\n"...)...) },
	} {
		spoiled := f
		copied := func(file string) string {
			text, err := os.ReadFile(file)
			must(t, err)
			return write(t, dir, filepath.Base(file)+".w", spoil(text))
		}
		spoiled.KeyFile, spoiled.APIv3KeyFile, spoiled.PublicKeyFile = copied(f.KeyFile), copied(f.APIv3KeyFile), copied(f.PublicKeyFile)
		spoiled.CertificateFiles = []string{copied(f.CertificateFiles[0])}
		if c, list := wechat.Load(spoiled); list != nil || c.APIv3Key != apiV3Key || !merchantKey().Equal(c.Key) {
			t.Errorf("%s: %v", name, list)
		}
	}
	f.KeyFile = write(t, dir, "bundle.pem", append(append([]byte("Bag Attributes\n"), other...), pkcs8(t, merchantKey())...))
	f.PublicKeyFile = write(t, dir, "pkcs1.pem", block("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(&wechatKey().PublicKey)))
	if _, list := wechat.Load(f); list != nil {
		t.Errorf("a key in a bundle, a public key of PKCS #1: %v", list)
	}
}

func TestLoadReportsEverything(t *testing.T) {
	_, list := wechat.Load(wechat.Files{})
	if len(list) != 8 {
		t.Errorf("%d problems: %v", len(list), list)
	}
}

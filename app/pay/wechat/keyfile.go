package wechat

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"slices"
	"strings"
)

const (
	certificateBlock = "CERTIFICATE"
	privateEnd       = "PRIVATE KEY" // of PKCS #1, PKCS #8 and the rest
	publicEnd        = "PUBLIC KEY"
)

// oidRSA names RSA in keys.
var oidRSA = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}

// loadPrivateKey reads the merchant's private key, or says why it is none.
func (list *problems) loadPrivateKey(setting, name string) *rsa.PrivateKey {
	block, ok := list.readPEM(setting, name, privateEnd, true)
	if !ok {
		return nil
	}
	switch {
	case block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED"):
		list.add(setting, "私钥有密码保护，请换成没有密码的 apiclient_key.pem", "is protected by a password; give one without, as in apiclient_key.pem")
		return nil
	case block.Type == certificateBlock:
		list.add(setting, "这是证书，不是私钥；应为 apiclient_key.pem，而不是 apiclient_cert.pem",
			"is a certificate where a private key is needed; take apiclient_key.pem, not apiclient_cert.pem")
		return nil
	case strings.HasSuffix(block.Type, publicEnd):
		list.add(setting, "这是公钥，不是私钥；应为 apiclient_key.pem", "is a public key where a private key is needed; take apiclient_key.pem")
		return nil
	case !strings.HasSuffix(block.Type, privateEnd):
		list.add(setting, "不是私钥；应为 apiclient_key.pem", "is not a private key; take apiclient_key.pem")
		return nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := any.(*rsa.PrivateKey)
	switch {
	case ok:
		return key
	case err == nil, otherPrivateKey(block):
		list.add(setting, "不是 RSA 私钥（可能是椭圆曲线或国密 SM2 密钥）；应为 apiclient_key.pem", "is not an RSA key, but one of another kind, such as of an elliptic curve; take apiclient_key.pem")
	default:
		list.add(setting, "私钥文件已损坏", "is not a private key, or is damaged")
	}
	return nil
}

// otherPrivateKey reports whether a block holds a whole private key of another kind than
// RSA, such as SM2, which the standard library cannot read.
func otherPrivateKey(block *pem.Block) bool {
	var envelope struct { // PKCS #8
		Version   int
		Algorithm pkix.AlgorithmIdentifier
		Key       []byte
	}
	if _, err := asn1.Unmarshal(block.Bytes, &envelope); err == nil {
		return !envelope.Algorithm.Algorithm.Equal(oidRSA)
	}
	var curve struct { // SEC 1
		Version int
		Key     []byte
	}
	_, err := asn1.Unmarshal(block.Bytes, &curve)
	return err == nil || slices.Contains([]string{"DSA PRIVATE KEY", "OPENSSH PRIVATE KEY"}, block.Type)
}

func (list *problems) readPublicKey(setting, name string) *rsa.PublicKey {
	block, ok := list.readPEM(setting, name, publicEnd, false)
	if !ok {
		return nil
	}
	switch {
	case block.Type == certificateBlock:
		list.add(setting, "这是证书，不是公钥；应为微信支付公钥 pub_key.pem。平台证书请写入 "+SettingCertificates,
			"is a certificate where a public key is needed; take pub_key.pem. Platform certificates belong in "+SettingCertificates)
		return nil
	case strings.HasSuffix(block.Type, privateEnd):
		list.add(setting, "这是私钥，不是公钥；应为微信支付公钥 pub_key.pem", "is a private key where a public key is needed; take pub_key.pem")
		return nil
	case !strings.HasSuffix(block.Type, publicEnd):
		list.add(setting, "不是公钥；应为微信支付公钥 pub_key.pem", "is not a public key; take pub_key.pem")
		return nil
	}
	if key, err := x509.ParsePKCS1PublicKey(block.Bytes); err == nil {
		return key
	}
	any, err := x509.ParsePKIXPublicKey(block.Bytes)
	key, ok := any.(*rsa.PublicKey)
	switch {
	case ok:
		return key
	case err == nil, otherPublicKey(block):
		list.add(setting, "不是 RSA 公钥（可能是椭圆曲线或国密 SM2 密钥）；应为微信支付公钥 pub_key.pem", "is not an RSA key, but one of another kind, such as of an elliptic curve; take pub_key.pem")
	default:
		list.add(setting, "公钥文件已损坏", "is not a public key, or is damaged")
	}
	return nil
}

func otherPublicKey(block *pem.Block) bool {
	var envelope struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
	_, err := asn1.Unmarshal(block.Bytes, &envelope)
	return err == nil && !envelope.Algorithm.Algorithm.Equal(oidRSA)
}

func (list *problems) loadCertificate(name string) *x509.Certificate {
	const setting = SettingCertificates
	block, ok := list.readPEM(setting, name, certificateBlock, false)
	if !ok {
		return nil
	}
	switch {
	case strings.HasSuffix(block.Type, privateEnd):
		list.add(setting, "这是私钥，不是证书；应为微信支付平台证书", "names a private key where a certificate is needed; it must be a platform certificate of WeChat Pay")
		return nil
	case strings.HasSuffix(block.Type, publicEnd):
		list.add(setting, "这是公钥，不是证书；微信支付公钥请写入 "+SettingPublicKeyFile+"，平台证书才写在这里",
			"names a public key where a certificate is needed; WeChat Pay's public key belongs in "+SettingPublicKeyFile)
		return nil
	case block.Type != certificateBlock:
		list.add(setting, "不是证书；应为微信支付平台证书", "names a file that is not a certificate; it must be a platform certificate of WeChat Pay")
		return nil
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		list.add(setting, "证书文件已损坏", "names a certificate that is damaged")
		return nil
	}
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok || key.N.BitLen() < minKeyBits {
		list.add(setting, "证书的密钥不是 2048 位以上的 RSA", "names a certificate whose key is not RSA of at least 2048 bits")
		return nil
	}
	return certificate
}

// readPEM reads the first block of a file whose kind ends as it is wanted, or the first of
// any kind, so that it can be said what it is instead.
func (list *problems) readPEM(setting, name, wanted string, secret bool) (*pem.Block, bool) {
	text, ok := list.read(setting, name, secret)
	if !ok {
		return nil, false
	}
	var first *pem.Block
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if strings.HasSuffix(block.Type, wanted) {
			return block, true
		}
		if first == nil {
			first = block
		}
	}
	switch {
	case first != nil:
	case bytes.Contains(text, []byte("-----BEGIN")):
		list.add(setting, "PEM 文件已损坏或不完整，请重新复制整个文件", "is a PEM file that is damaged or cut off; copy the whole file again")
	default:
		list.add(setting, "文件不是 PEM 格式（应以 -----BEGIN 开头；.p12 文件不行）", "is not a PEM file (it begins with -----BEGIN; a .p12 file will not do)")
	}
	return first, first != nil
}

// byteOrderMark begins the files of some editors, in UTF-8.
var byteOrderMark = []byte("\ufeff")

// plainText takes away what editors put around a text and nobody sees. It reports false
// for one in two-byte characters.
func plainText(text []byte) ([]byte, bool) {
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return nil, false
	}
	return bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark)), true
}

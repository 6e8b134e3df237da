package outpost

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
)

// certificate says whether a connection failed because of the other side's certificate.
func certificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// Package sms carries notices as text messages: by an HTTP gateway of the owner's
// (gateway.go) or by Tencent Cloud (tencent.go).
package sms

import (
	"fmt"
	"regexp"
	"strings"

	"courtd/app/notify"
	"courtd/domain"
)

// Name is the name of both channels in reports.
const Name = "sms"

var (
	chineseMobile = regexp.MustCompile(`^(\+?86|0086)?(1[3-9][0-9]{9})$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
)

// E164 writes a phone number as carriers want it, such as "+8613812345678". A number that
// is neither a Chinese mobile nor begins with "+" is a notify.ErrRefused: no text message
// can reach it.
func E164(phone string) (string, error) {
	compact := strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(phone))
	if found := chineseMobile.FindStringSubmatch(compact); found != nil {
		return "+86" + found[2], nil
	}
	if international.MatchString(compact) && !strings.HasPrefix(compact, "+86") { // a landline of China, or no number
		return compact, nil
	}
	if compact == "" {
		return "", fmt.Errorf("%w: the customer has no phone number", notify.ErrRefused)
	}
	return "", fmt.Errorf("%w: %s is not a mobile number", notify.ErrRefused, domain.MaskPhone(compact))
}

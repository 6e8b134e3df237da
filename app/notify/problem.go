package notify

import "strings"

// Problem is one fault in how a channel is set up, in plain words. It never contains the
// setting's value, which may be a secret.
type Problem struct {
	Setting string // the environment variable, such as "COURTD_SMTP_HOST"
	ZH, EN  string
}

func (p Problem) String() string { return p.Setting + ": " + p.ZH + " / " + p.EN }

// OneLine makes text of others fit to stand in an error: without line breaks and control
// characters, of at most the given number of characters, and with "***" for every secret
// that it repeats.
func OneLine(text string, most int, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	runes := []rune(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0x85 || r == 0xfffd }), " "))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	return string(runes)
}

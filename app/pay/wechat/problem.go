package wechat

import (
	"errors"
	"strings"
)

// The settings that problems name: environment variables. A value that comes from a
// file may name the variable that ends in _FILE.
const (
	SettingMchID          = "COURTD_WECHAT_PAY_MCH_ID"
	SettingSerial         = "COURTD_WECHAT_PAY_MCH_SERIAL"
	SettingKeyFile        = "COURTD_WECHAT_PAY_MCH_KEY_FILE"
	SettingAPIv3Key       = "COURTD_WECHAT_PAY_API_V3_KEY"
	SettingAPIv3KeyFile   = "COURTD_WECHAT_PAY_API_V3_KEY_FILE"
	SettingPublicKeyID    = "COURTD_WECHAT_PAY_PUBLIC_KEY_ID"
	SettingPublicKeyFile  = "COURTD_WECHAT_PAY_PUBLIC_KEY_FILE"
	SettingPublicKeyID2   = "COURTD_WECHAT_PAY_PUBLIC_KEY_ID_2"
	SettingPublicKeyFile2 = "COURTD_WECHAT_PAY_PUBLIC_KEY_FILE_2"
	SettingCertificates   = "COURTD_WECHAT_PAY_CERTIFICATE_FILES"
	SettingAppID          = "COURTD_WECHAT_PAY_APP_ID"
	SettingNotifyURL      = "COURTD_WECHAT_PAY_NOTIFY_URL"
	SettingBaseURL        = "COURTD_WECHAT_PAY_BASE_URL"
	SettingWays           = "COURTD_WECHAT_PAY_WAYS"
)

// Problem is one thing that is wrong with the set-up, in words for the person who has
// to mend it. No value of a setting is ever part of it: people paste keys into the
// wrong ones.
type Problem struct {
	Setting string // the environment variable, or "" if it is none of them
	ZH, EN  string
	Warning bool // payments work all the same
}

// String gives the setting and both languages.
func (p Problem) String() string {
	if p.Setting == "" {
		return p.ZH + " / " + p.EN
	}
	return p.Setting + ": " + p.ZH + " / " + p.EN
}

// problems collects them; of several faults in one setting the first counts, because
// the others follow from it.
type problems []Problem

func (list *problems) add(setting, zh, en string) {
	if !list.has(setting) {
		*list = append(*list, Problem{Setting: setting, ZH: zh, EN: en})
	}
}

func (list *problems) warn(setting, zh, en string) {
	*list = append(*list, Problem{Setting: setting, ZH: zh, EN: en, Warning: true})
}

func (list *problems) has(setting string) bool {
	for _, p := range *list {
		if p.Setting == setting && !p.Warning {
			return true
		}
	}
	return false
}

// err joins what is not a mere warning.
func (list *problems) err() error {
	var lines []string
	for _, p := range *list {
		if !p.Warning {
			lines = append(lines, p.Setting+" "+p.EN)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New("wechat pay: " + strings.Join(lines, "; "))
}

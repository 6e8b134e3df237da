package settings

import (
	"strconv"
	"strings"

	"courtd/domain"
)

// wide makes plain digits and signs of those that Chinese keyboards type.
var wide = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9",
	"：", ":", "．", ".", "。", ".", "　", " ")

func plain(text string) string { return strings.TrimSpace(wide.Replace(text)) }

// numberOf reads a whole number as a person types it.
func numberOf(name, text string) (int, error) {
	n, err := strconv.Atoi(plain(text))
	if err != nil {
		return 0, domain.BadField(name, "must be a whole number")
	}
	return n, nil
}

// clockOf reads a time of the day as a person types it: 8:30, 08:30, 830 or 8.
func clockOf(name, text string) (domain.Minute, error) {
	hour, minute, parted := strings.Cut(plain(text), ":")
	if !parted && len(hour) > 2 {
		hour, minute = hour[:len(hour)-2], hour[len(hour)-2:]
	}
	if minute == "" && !parted && hour != "" {
		minute = "00"
	}
	if len(hour) == 1 {
		hour = "0" + hour
	}
	return domain.ParseMinute(name, hour+":"+minute)
}

// optionalDate reads a date that may be left out.
func optionalDate(name, text string) (domain.Date, error) {
	if text = plain(text); text == "" {
		return domain.Date{}, nil
	}
	return domain.ParseDate(name, text)
}

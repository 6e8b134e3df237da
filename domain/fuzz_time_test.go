package domain_test

import (
	"net/netip"
	"regexp"
	"testing"
	"time"

	"courtd/domain"
)

var dateForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

func FuzzDate(f *testing.F) {
	for _, text := range []string{"2026-12-10", "2026-02-30", "2024-02-29", "1999-12-31", "9998-12-31", "9999-01-01", "", "2026-1-1", "+026-12-10", "2026-12-10\n", "２０２６-12-10"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := domain.ParseDate("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			at, wrong := time.Parse(time.RFC3339, text+"T00:00:00Z")
			if wrong == nil && dateForm.MatchString(text) && at.Year() >= 2000 && at.Year() <= 9998 {
				t.Errorf("%q was refused: %v", text, err)
			}
			return
		}
		if d.String() != text || !dateForm.MatchString(text) || d.Year < 2000 || d.Year > 9998 {
			t.Errorf("%q was accepted as %s", text, d)
		}
		if back := d.AddDays(1).AddDays(-1); back != d || !d.Before(d.AddDays(1)) || d.AddDays(7).Weekday() != d.Weekday() {
			t.Errorf("the day after %s has %s before it", d, back)
		}
		var again domain.Date
		if written, err := d.MarshalText(); err != nil || again.UnmarshalText(written) != nil || again != d {
			t.Errorf("%s is written as %q and read as %s", d, written, again)
		}
	})
}

func FuzzDateSpan(f *testing.F) {
	f.Add("2026-12-01", "2026-12-10")
	f.Add("2024-01-01", "2024-12-31")
	f.Add("2025-01-01", "2026-01-02")
	f.Add("2026-12-10", "")
	f.Add("9998-12-31", "9998-12-31")
	f.Fuzz(func(t *testing.T, from, until string) {
		span, err := domain.ParseDateSpan(from, until)
		if err != nil {
			wantBadField(t, err, "")
			for _, field := range err.(*domain.Error).Fields {
				if field.Field != "from" && field.Field != "until" {
					t.Errorf("it blames %q", field.Field)
				}
			}
			return
		}
		days := span.Days()
		if len(days) < 1 || len(days) > domain.MaxReportDays || days[0].String() != from || days[len(days)-1].String() != until {
			t.Fatalf("%s to %s are %d days", from, until, len(days))
		}
		for i, d := range days[1:] {
			if days[i].AddDays(1) != d {
				t.Fatalf("%s follows %s", d, days[i])
			}
		}
	})
}

func FuzzMinute(f *testing.F) {
	for _, text := range []string{"00:00", "08:30", "23:59", "24:00", "36:00", "36:01", "8:30", "08:60", "", "0a:00", "08：30"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^([0-2][0-9]|3[0-5]):[0-5][0-9]$|^36:00$`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := domain.ParseMinute("of", text)
		if err != nil {
			wantBadField(t, err, "of")
		}
		if (err == nil) != form.MatchString(text) || (err == nil && m.String() != text) {
			t.Errorf("%q is read as %s, %v", text, m, err)
		}
		var again domain.Minute
		if err == nil && (again.UnmarshalText([]byte(text)) != nil || again != m) {
			t.Errorf("%q is read as text as %s", text, again)
		}
	})
}

// FuzzInstant asks whether an instant that a venue's clock shows is the one that was
// meant, in zones with their own ideas of summer.
func FuzzInstant(f *testing.F) {
	zones := make([]*time.Location, 0, 6)
	for _, name := range []string{"Asia/Shanghai", "Europe/London", "America/Los_Angeles", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			f.Fatal(err)
		}
		zones = append(zones, zone)
	}
	f.Add("2026-12-10", "17:30", uint8(0))
	f.Add("2026-03-29", "01:30", uint8(1)) // jumped over
	f.Add("2026-10-25", "01:30", uint8(1)) // shown twice
	f.Add("2011-12-30", "12:00", uint8(4)) // a day that never was
	f.Add("2018-11-04", "00:00", uint8(5)) // a midnight that never was
	f.Fuzz(func(t *testing.T, date, clock string, n uint8) {
		d, err := domain.ParseDate("date", date)
		m, err2 := domain.ParseMinute("clock", clock)
		if err != nil || err2 != nil || m >= 24*60 {
			return
		}
		zone := zones[int(n)%len(zones)]
		cal := domain.Calendar{Zone: zone}
		at := cal.Wall(d, m)
		wall := at.In(zone)
		shown := wall.Format("2006-01-02 15:04")
		if want := date + " " + clock; shown != want {
			// Only a time that the clocks jump over is shown as another: that of the jump.
			if before := domain.InstantOf(wall.Add(-time.Second)).In(zone).Format("2006-01-02 15:04"); before > want || shown < want {
				t.Errorf("%s in %s is %s", want, zone, wall)
			}
		}
		if m > 0 && cal.Wall(d, m-1) > at {
			t.Errorf("a minute before %s %s in %s is later", date, clock, zone)
		}
	})
}

// FuzzMayBeTold asks about each address in all the ways it can be written.
func FuzzMayBeTold(f *testing.F) {
	for _, text := range []string{"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "fe80::1%eth0", "100.100.100.200", "10.0.0.1", "127.0.0.1",
		"224.0.0.1", "8.8.8.8", "fd00:ec2::254", "::"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ip, err := netip.ParseAddr(text)
		if err != nil {
			return
		}
		may := domain.MayBeTold(ip)
		if may && (ip.Unmap().IsLinkLocalUnicast() || ip.Unmap().IsMulticast()) {
			t.Errorf("%s may be told", ip)
		}
		plain := ip.Unmap().WithZone("")
		if !plain.Is4() {
			return
		}
		four := plain.As4()
		within := [16]byte{0x00, 0x64, 0xff, 0x9b}
		copy(within[12:], four[:])
		to6 := [16]byte{0x20, 0x02}
		copy(to6[2:], four[:])
		for _, other := range []netip.Addr{netip.AddrFrom16(plain.As16()), netip.AddrFrom16(within), netip.AddrFrom16(to6)} {
			if domain.MayBeTold(other) != may {
				t.Errorf("%s may be told: %t; as %s it is not so", plain, may, other)
			}
		}
	})
}

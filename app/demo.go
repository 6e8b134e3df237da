package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// metaDemo marks a database as a demonstration's; it is never served as a real one.
const metaDemo = "demo"

// DemoAccount is how to sign in at a demonstration's desk.
type DemoAccount struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// DemoCoupon is a code to try and what it does.
type DemoCoupon struct {
	Code  string `json:"code"`
	About string `json:"about"`
}

// DemoInfo is what a visitor of a demonstration may know.
type DemoInfo struct {
	Accounts map[string]DemoAccount `json:"accounts"`
	Coupons  []DemoCoupon           `json:"coupons"`
}

var demoCoupons = []struct {
	coupon domain.Coupon
	about  string
}{
	{domain.Coupon{Code: "ONCE20", Name: "全场一次 减20元", AmountFen: 2000, MaxUses: 1, Active: true}, "减 20 元，全场只能用一次 · ￥20 off, can be used once in all"},
	{domain.Coupon{Code: "NEW10", Name: "新客九折", Percent: 10, MaxUsesPerCustomer: 1, Active: true}, "九折，每人一次 · 10 % off, once per customer"},
	{domain.Coupon{Code: "FREE", Name: "免单券", Percent: 100, MaxUsesPerCustomer: 1, Active: true}, "免单，每人一次 · everything free, once per customer"},
}

// Demo describes the demonstration that SeedDemo makes.
func Demo() DemoInfo {
	info := DemoInfo{Accounts: map[string]DemoAccount{
		"owner": {Username: "owner", Password: "owner-demo-2026"},
		"desk":  {Username: "desk", Password: "desk-demo-2026"},
	}}
	for _, c := range demoCoupons {
		info.Coupons = append(info.Coupons, DemoCoupon{Code: c.coupon.Code, About: c.about})
	}
	return info
}

// IsDemo reports whether a database holds a demonstration, and whether it holds a venue at all.
func IsDemo(ctx context.Context, db *sqlite.DB) (demo, exists bool, err error) {
	err = db.Read(ctx, func(s *sqlite.Snapshot) error {
		if _, exists, err = s.Venue(); err != nil {
			return err
		}
		mark, err := s.Meta(metaDemo)
		demo = mark != ""
		return err
	})
	return demo, exists, err
}

// SeedDemo makes the example venue in an empty database: six courts, goods,
// coupons and staff. One that is there already is kept; a real venue is refused.
// Two processes may call it on one file at once.
func SeedDemo(ctx context.Context, db *sqlite.DB) error {
	if demo, _, err := IsDemo(ctx, db); err != nil || demo {
		return err // passwords are slow to hash, and it has them
	}
	var staff []sqlite.Staff
	for _, s := range []struct{ role, name string }{{"owner", "馆主"}, {"desk", "前台"}} {
		account := Demo().Accounts[s.role]
		m, err := NewStaff{Username: account.Username, Name: s.name, Password: account.Password}.parse(s.role)
		if err != nil {
			return err
		}
		staff = append(staff, m)
	}
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		return err
	}
	return db.Write(ctx, func(tx *sqlite.Tx) error {
		mark, err := tx.Meta(metaDemo)
		if err != nil || mark != "" {
			return err
		}
		if _, exists, err := tx.Venue(); err != nil || exists {
			if err == nil {
				err = domain.Refuse(domain.Conflict, "not_a_demo", "this database holds a real venue; a demonstration needs a file of its own")
			}
			return err
		}
		if err := tx.SetMeta(metaDemo, "1"); err != nil {
			return err
		}
		for _, m := range staff {
			if err := tx.PutStaff(m); err != nil {
				return err
			}
		}
		return seedDemoVenue(tx, zone)
	})
}

func seedDemoVenue(tx *sqlite.Tx, zone *time.Location) error {
	evening := domain.Band{From: 17 * 60, To: 24 * 60}
	err := tx.PutVenue(sqlite.Venue{Name: "晨光羽毛球馆", Zone: zone.String(), Currency: "CNY", Address: "示例路 1 号", Phone: "021-5555 0100",
		Policy: domain.DefaultPolicy(), Calendar: domain.Calendar{Zone: zone, Hours: domain.DefaultHours()},
		Prices: domain.PriceRules{
			{Name: "周末", Weekdays: []int{0, 6}, PriceFen: 8000},
			{Name: "晚间", Band: evening, PriceFen: 6000},
			{Name: "日场", PriceFen: 4000},
		}})
	if err != nil {
		return err
	}
	for i, name := range []string{"1号场", "2号场", "3号场", "4号场", "5号场", "6号场"} {
		if err := tx.PutCourt(sqlite.Court{ID: "c" + string(rune('1'+i)), Name: name, Position: i + 1, Active: true}); err != nil {
			return err
		}
	}
	for i, g := range []struct {
		good  sqlite.Good
		stock int
	}{
		{sqlite.Good{ID: "g1", Name: "羽毛球 一筒", PriceFen: 3000}, 12},
		{sqlite.Good{ID: "g2", Name: "球拍租用", PriceFen: 2000}, 8},
		{sqlite.Good{ID: "g3", Name: "矿泉水", PriceFen: 300}, 48},
	} {
		g.good.Position, g.good.Active = i+1, true
		if err := tx.PutGood(g.good); err != nil {
			return err
		}
		if _, err := tx.MoveStock(sqlite.StockMove{GoodID: g.good.ID, Kind: "receipt", Qty: g.stock, Note: "开业进货"}); err != nil {
			return err
		}
	}
	for _, c := range demoCoupons {
		if err := tx.PutCoupon(c.coupon); err != nil {
			return err
		}
	}
	return nil
}

package office

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// goodPage is one good: its stock, what can be done about it, and its ledger.
type goodPage struct {
	kit.Frame
	kit.Trouble
	Good                 goodRow
	Mark, Nonce          string
	Name, Price          kit.Field
	Qty, Note            kit.Field
	Counted, CountedNote kit.Field
	Moves                []moveRow
	Older                string // where the ledger goes on
}

// moveRow is one row of the ledger.
type moveRow struct {
	At          time.Time
	Kind        string
	Words       kit.Words
	Qty         string
	Balance     int
	Note, Who   string
	Order       string // id
	OrderNumber string
}

var moveWords = map[string]kit.Words{
	"receipt": {"进货", "receipt"}, "sold": {"下单", "ordered"}, "restock": {"退回货架", "put back"}, "adjust": {"盘点", "count"},
}

// ledgerPage is how many rows of a ledger one page shows.
const ledgerPage = 50

// goodParts are what the form for a good shows; its mark tells whether they have changed.
func goodParts(g sqlite.Good) goodPart { return goodPart{g.Name, g.PriceFen} }

type goodPart struct {
	Name     string
	PriceFen int64
}

var goodSaid = map[string]kit.Words{
	"added":    {"商品已添加。到货后请登记进货", "The good was added. Book a receipt when it has come in"},
	"saved":    {"已保存", "Saved"},
	"out":      {"已停售。已有的订单照常有效", "Taken out of sale. Orders that were made stand"},
	"back":     {"已恢复出售", "Back on sale"},
	"received": {"进货已登记", "The receipt was booked"},
	"counted":  {"盘点已登记", "The count was booked"},
	"same":     {"数目相符，无需调整", "The count is as it should be; nothing was changed"},
}

func (p *pages) showGood(c *fiber.Ctx) error { return p.drawGood(c, http.StatusOK, nil) }

func (p *pages) drawGood(c *fiber.Ctx, status int, back *refused) error {
	f, cal, _, err := p.frame(c, kit.Words{"商品", "Goods"}, goodSaid)
	if err != nil {
		return err
	}
	var before int64
	if text := c.Query("before"); text != "" {
		if before, err = strconv.ParseInt(text, 10, 64); err != nil || before < 1 {
			return domain.BadField("before", "is not one that this list gave out")
		}
	}
	page := goodPage{Nonce: kit.Nonce(c)}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		g, err := s.Good(c.Params("id"))
		if err != nil {
			return err
		}
		pieces, err := s.Pieces()
		if err != nil {
			return err
		}
		page.Good = goodRow{ID: g.ID, Name: g.Name, Price: g.PriceFen, Active: g.Active, shelf: shelfOf(g, pieces[g.ID])}
		page.Mark = kit.MarkOn(c, goodParts(g), back.cause())
		rows, err := s.Ledger(g.ID, before, ledgerPage+1)
		page.ledger(rows, cal)
		return err
	})
	if err != nil {
		return err
	}
	f.Title = kit.Words{page.Good.Name, ""}
	page.Frame = f
	page.fields(c, back)
	return p.Render(c, status, "good", page)
}

// fields draws the three forms of the page.
func (page *goodPage) fields(c *fiber.Ctx, back *refused) {
	edit := sheetOf(c, "edit", back, map[string]string{"name": page.Good.Name, "price": kit.Yuan(page.Good.Price)})
	page.Name, page.Price = nameField(edit), priceField(edit)
	receipt := sheetOf(c, "receipt", back, nil)
	page.Qty = receipt.Draw(kit.Field{Name: "qty", Label: kit.Words{"到货件数", "Pieces that came in"}, Mode: "numeric", Most: 8, Required: true})
	page.Note = receipt.Draw(kit.Field{Name: "note", Label: kit.Words{"备注（可不填）", "Note (optional)"}, Most: domain.MaxNoteChars})
	count := sheetOf(c, "count", back, nil)
	page.Counted = count.Draw(kit.Field{Name: "counted", Label: kit.Words{"货架上实有件数", "Pieces counted on the shelf"}, Mode: "numeric", Most: 8, Required: true,
		Hint: kit.Words{fmt.Sprintf("按账应有 %d 件，含已留给订单的 %d 件。", page.Good.There, page.Good.Kept),
			fmt.Sprintf("By the books there are %d, with the %d kept for orders.", page.Good.There, page.Good.Kept)}})
	page.CountedNote = count.Draw(kit.Field{Name: "note", Label: kit.Words{"差异原因", "Why it differs"}, Most: domain.MaxNoteChars, Required: true})
	page.Trouble = told(back, edit, receipt, count)
}

func (page *goodPage) ledger(rows []sqlite.LedgerRow, cal domain.Calendar) {
	if len(rows) > ledgerPage {
		rows = rows[:ledgerPage]
		page.Older = fmt.Sprintf("/owner/goods/%s?before=%d", page.Good.ID, rows[ledgerPage-1].ID)
	}
	for _, r := range rows {
		page.Moves = append(page.Moves, moveRow{At: r.At.In(cal.Zone), Kind: r.Kind, Words: moveWords[r.Kind], Qty: fmt.Sprintf("%+d", r.Qty),
			Balance: r.Balance, Note: r.Note, Who: r.StaffName, Order: r.OrderID, OrderNumber: r.OrderNumber})
	}
}

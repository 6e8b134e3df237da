package desk

import (
	"net/http"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// boardPage is a day at the counter, and the slot that is open on it.
type boardPage struct {
	kit.Frame
	Date                 string
	DayWords             kit.Words
	Before, After, Today string // addresses
	IsToday              bool
	AsOf                 *asOf
	Time                 timeTravel
	Board                kit.Live
	Panel                panelView
}

// asOf says at which other instant the board is shown.
type asOf struct {
	Words  kit.Words
	Future bool
}

// timeTravel is what leads to other instants.
type timeTravel struct {
	Value                            string // for the field
	Earlier, Later, Next, NowAddress string
	NextClock                        string
}

// boardView is the part of the page that keeps itself fresh.
type boardView struct {
	Date     string
	Counters []counter
	Legend   []counter // states that are not counted
	Courts   []string
	Rows     []boardRow
	Empty    kit.Words // why there are no rows
	Fixed    bool      // shown at another instant: nothing can be done
	Moving   *movingView
}

// counter is a state with how many slots of the day are in it, and how it looks.
type counter struct {
	State, Mark string
	Words       kit.Words
	N           int
	Also        int // of them late
}

type boardRow struct {
	Label, End string
	Now, Past  bool
	Cells      []boardCell
}

// movingView says which booking is being moved: the free cells are where it can go.
type movingView struct {
	Words kit.Words
	Stop  string
}

// said are what the board and the order's page can have done before.
var said = map[string]kit.Words{
	"booked":    {"已预订", "Booked"},
	"paid":      {"已收现金", "The cash is taken"},
	"cancelled": {"订单已取消", "The order is cancelled"},
	"handover":  {"商品已交付", "The goods are handed over"},
	"forgiven":  {"已免除爽约", "The no-show is forgiven"},
	"goodwill":  {"已登记退款", "The refund is written down"},
	"confirmed": {"已确认退款", "The refund is confirmed"},
	"moved":     {"已改期，请告知顾客：核销码已换新", "Moved. Tell the customer: the ticket code is a new one"},
	"undone":    {"已撤销爽约，顾客已入场", "The no-show is undone; the customer is in"},
}

// showBoard is the desk's page.
func (p *pages) showBoard(c *fiber.Ctx) error {
	return p.drawBoard(c, http.StatusOK, placeHere(c), filled{})
}

func (p *pages) drawBoard(c *fiber.Ctx, status int, where place, f filled) error {
	frame, venue, now, err := p.FrameOf(c, kit.Words{"看板", "Board"})
	if err != nil {
		return err
	}
	at, err := where.understand(venue, now)
	if err != nil {
		return err
	}
	board, err := p.App.DeskDay(c.UserContext(), at.day, at.at)
	if err != nil {
		return err
	}
	frame.Live, frame.Styles, frame.Scripts, frame.Wide, frame.Now = true, []string{"desk.css"}, []string{"board.js"}, true, board.Now.Unix()
	page := boardPage{Frame: frame, Date: at.Date, DayWords: kit.DayWords(at.day, at.today), IsToday: at.day == at.today}
	day := func(d domain.Date) string { return place{Date: d.String(), At: at.At, Move: at.Move}.address("/desk") }
	page.Before, page.After, page.Today = day(at.day.AddDays(-1)), day(at.day.AddDays(1)), day(at.today)
	page.addTime(at, board)
	if page.Board, err = p.liveBoard(c, at, board); err != nil {
		return err
	}
	if page.Panel, err = p.panelOf(c, at, board, f); err != nil {
		return err
	}
	if words := kit.SaidOf(c, said); f.Say == nil && words != nil {
		if page.Panel.Open {
			page.Panel.Said = words
		} else {
			page.Said = words
		}
	}
	return p.Render(c, status, "board", page)
}

// sendBoard answers the board's part that asks for itself again.
func (p *pages) sendBoard(c *fiber.Ctx) error {
	venue, _, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	at, err := placeHere(c).understand(venue, now)
	if err != nil {
		return err
	}
	board, err := p.App.DeskDay(c.UserContext(), at.day, at.at)
	if err != nil {
		return err
	}
	live, err := p.liveBoard(c, at, board)
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

func (p *pages) liveBoard(c *fiber.Ctx, at spot, board app.BoardView) (kit.Live, error) {
	view, err := p.viewBoard(c, at, board)
	if err != nil {
		return kit.Live{}, err
	}
	changes := board.ChangesAt
	if at.at.IsSet() {
		changes = nil // that instant has no next one
	}
	return p.Live(c, "board", "board", "board", at.address("/desk/board"), board.Now, changes, view)
}

func (p *pages) viewBoard(c *fiber.Ctx, at spot, board app.BoardView) (boardView, error) {
	view := boardView{Date: at.Date, Fixed: at.at.IsSet(), Counters: countersOf(board),
		Legend: keysOf("late", "closed", "not_open", "past")}
	if at.Move != "" && !view.Fixed {
		moving, err := p.movingOf(c, at)
		if err != nil {
			return view, err
		}
		view.Moving = moving
	}
	draw := cellDrawer{at: at, fixed: view.Fixed, moving: view.Moving != nil}
	for i, court := range board.Courts {
		view.Courts = append(view.Courts, court.Name)
		for j, slot := range court.Slots {
			if i == 0 {
				view.Rows = append(view.Rows, boardRow{Label: slot.Label, End: slot.End.Format("15:04"),
					Now: !slot.Start.After(board.At) && board.At.Before(slot.End), Past: !board.At.Before(slot.End)})
			}
			view.Rows[j].Cells = append(view.Rows[j].Cells, draw.cell(court, slot))
		}
	}
	switch {
	case len(view.Courts) == 0:
		view.Empty = kit.Words{"还没有场地。", "There are no courts yet."}
	case len(view.Rows) == 0:
		view.Empty = kit.Words{"这一天不营业。", "The venue is closed on this day."}
	}
	return view, nil
}

// movingOf says which booking is being moved, if it still can be.
func (p *pages) movingOf(c *fiber.Ctx, at spot) (*movingView, error) {
	order, slot, err := p.movable(c, at.Move)
	if _, refused := domain.AsError(err); refused {
		return nil, nil // the panel says so
	}
	if err != nil || !slices.Contains(slot.Actions, "move") {
		return nil, err
	}
	who := order.Number
	if order.Customer.Name != "" {
		who += " " + order.Customer.Name
	}
	return &movingView{Words: kit.Words{"改期 " + who + "（" + slot.Label + "）：请选一个空场", "Moving " + who + " (" + slot.LabelEN + "): choose a free slot"},
		Stop: place{Date: at.Date, Slot: slotText(slot.Court.ID, slot.Start)}.address("/desk")}, nil
}

// movable finds an order and its slot by a reservation. A row that another has
// replaced is none of the order's slots.
func (p *pages) movable(c *fiber.Ctx, reservation string) (app.OrderView, app.ReservationView, error) {
	order, err := p.App.OrderOfReservation(c.UserContext(), httpx.ActorOf(c), reservation)
	if err != nil {
		return order, app.ReservationView{}, err
	}
	for _, r := range order.Reservations {
		if r.ID == reservation {
			return order, r, nil
		}
	}
	return order, app.ReservationView{}, domain.Refuse(domain.Conflict, "too_late", "this booking has been moved meanwhile")
}

// addTime prepares the ways to other instants, from the one that is shown.
func (b *boardPage) addTime(at spot, board app.BoardView) {
	to := func(when time.Time) string {
		return place{Date: at.Date, At: atText(when), Slot: at.Slot}.address("/desk")
	}
	const step = 15 * time.Minute
	b.Time = timeTravel{Value: atText(board.At), Earlier: to(board.At.Add(-step)), Later: to(board.At.Add(step)),
		NowAddress: place{Date: at.Date, Slot: at.Slot}.address("/desk")}
	if board.ChangesAt != nil {
		b.Time.Next, b.Time.NextClock = to(*board.ChangesAt), clockText(*board.ChangesAt, board.At)
	}
	if !at.at.IsSet() {
		return
	}
	when := board.At.Format("2006-01-02 15:04:05")
	b.AsOf = &asOf{Words: kit.Words{"这是 " + when + " 的看板", "The board as of " + when}, Future: board.At.After(board.Now)}
}

// clockText writes a time of day, with its date when that is not the day of near,
// and with seconds where there are any.
func clockText(at, near time.Time) string {
	layout := "15:04"
	if at.Second() != 0 {
		layout = "15:04:05"
	}
	if at.Format(time.DateOnly) != near.Format(time.DateOnly) {
		layout = "01-02 " + layout
	}
	return at.Format(layout)
}

// countersOf counts the day's slots by what they are to the desk.
func countersOf(board app.BoardView) []counter {
	n, late, free := map[string]int{}, 0, 0
	seen := map[string]bool{}
	for _, court := range board.Courts {
		for _, slot := range court.Slots {
			if slot.Sellable {
				free++
			}
			for _, b := range slot.Bookings {
				if seen[b.ID] {
					continue
				}
				seen[b.ID] = true
				n[b.State]++
				if b.Late {
					late++
				}
			}
		}
	}
	n["free"] = free
	out := keysOf("free", "held", "confirmed", "playing", "completed", "no_show")
	for i := range out {
		out[i].N = n[out[i].State]
		if out[i].State == string(domain.Confirmed) {
			out[i].Also = late
		}
	}
	return out
}

// keysOf explains states of cells.
func keysOf(states ...string) []counter {
	var out []counter
	for _, state := range states {
		out = append(out, counter{State: state, Mark: cellMarks[state], Words: cellWords[state]})
	}
	return out
}

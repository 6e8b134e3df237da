package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// Shipping is what WeChat is told of a payment whose customer has come. Some
// categories have their money frozen until then.
type Shipping struct {
	TransactionID string
	Merchant      string
	OutTradeNo    string
	OpenID        string // of who paid
	Description   string
	At            time.Time
}

// Shipper tells WeChat. The same shipping may be told twice.
type Shipper interface {
	UploadShipping(ctx context.Context, s Shipping) error
}

// queueShipments notes that an order's customer has come, if the owner wants WeChat told.
func queueShipments(tx *sqlite.Tx, venue sqlite.Venue, orderID string) error {
	if !venue.Messages.ShipAfterCheckIn {
		return nil
	}
	return tx.QueueShipments(orderID, domain.ViaWeChat)
}

// ShipReport counts what one pass over the shipments did.
type ShipReport struct {
	Done   int `json:"done"`
	Failed int `json:"failed"`
}

// DriveShipments tells WeChat of payments whose customers have come, until nothing is due
// or WeChat is to be left alone.
func (a *App) DriveShipments(ctx context.Context) (ShipReport, error) {
	var rep ShipReport
	if a.shipper == nil {
		return rep, nil
	}
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Shipment
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			batch, err = s.ShipmentsDue(after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return rep, err
		}
		for _, h := range batch {
			after = h.PaymentID
			err := ctx.Err()
			if err == nil {
				err = a.ship(ctx, h, &rep)
			}
			if errors.Is(err, errLeaveChannel) {
				return rep, nil
			}
			if err != nil {
				return rep, err
			}
		}
	}
	return rep, ctx.Err()
}

// ship takes a shipment for one try, as a message is taken (see deliver), and tells WeChat.
func (a *App) ship(ctx context.Context, h sqlite.Shipment, rep *ShipReport) error {
	var told Shipping
	var mine, leave bool
	var day string
	err := a.db.Write(ctx, func(tx *sqlite.Tx) error {
		venue, err := mustVenue(&tx.Snapshot)
		if err != nil {
			return err
		}
		state, err := tx.Channel(domain.ChannelShipping)
		if err != nil {
			return err
		}
		if leave = tx.Now < state.PausedUntil; leave {
			return nil
		}
		told = Shipping{TransactionID: h.TransactionID, Merchant: h.Merchant, OutTradeNo: h.PaymentID, OpenID: h.OpenID,
			Description: forBank(venue.Name, h.OrderNumber), At: tx.Now.In(venue.Calendar.Zone)}
		day = venue.Calendar.DayOf(tx.Now).String()
		mine, err = tx.LeaseShipment(h.PaymentID, tx.Now.Add(domain.NoticeLease))
		return err
	})
	switch {
	case err != nil:
		return err
	case leave:
		return errLeaveChannel
	case !mine:
		return nil
	}
	problem := a.upload(ctx, told)
	if problem != nil {
		return a.notShipped(ctx, h, problem, rep)
	}
	rep.Done++
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		if err := tx.ShipmentDone(h.PaymentID); err != nil {
			return err
		}
		return tx.ChannelSent(domain.ChannelShipping, day)
	})
}

// notShipped writes down a try that WeChat did not carry out, and whether it is to be left
// alone with all others too. Like a message, a shipment is not given up for a WeChat that
// does not work before a day has passed; that it wants to be asked later is no try.
func (a *App) notShipped(ctx context.Context, h sqlite.Shipment, problem error, rep *ShipReport) error {
	rep.Failed++
	tries := h.Tries + 1
	a.log.Warn("WeChat was not told that a customer has come", "payment", h.PaymentID, "tries", tries, "error", problem)
	var paused bool
	err := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		down := errors.Is(problem, notify.ErrDown)
		var later notify.LaterError
		var err error
		if errors.As(problem, &later) {
			err = tx.ShipmentLater(h.PaymentID, firstLine(problem), tx.Now.Add(min(max(later.After, domain.FirstRetry), domain.MaxRetry)))
		} else {
			last := errors.Is(problem, notify.ErrRefused) || tries >= domain.MaxNoticeTries && (!down || tx.Now.Sub(h.CreatedAt) >= domain.GiveUpAfterDown)
			err = tx.ShipmentFailed(h.PaymentID, firstLine(problem), tries, tx.Now.Add(backoff(tries)), last)
		}
		if err != nil || !down {
			return err
		}
		state, err := tx.Channel(domain.ChannelShipping)
		if err != nil {
			return err
		}
		until := pauseOf(tx.Now, state.Fails+1, problem)
		paused = until.IsSet()
		return tx.ChannelFailed(domain.ChannelShipping, state.Fails+1, until, firstLine(problem))
	})
	if err == nil && paused {
		err = errLeaveChannel
	}
	return err
}

func (a *App) upload(ctx context.Context, s Shipping) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic while WeChat was told of a shipping: %v", v)
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), domain.CommandTimeout)
	defer cancel()
	return a.shipper.UploadShipping(ctx, s)
}

// LostShipmentView is a payment of which WeChat was not told that its customer has come.
type LostShipmentView struct {
	Payment  string    `json:"payment"`
	Order    string    `json:"order"`
	Number   string    `json:"number" doc:"of the order"`
	Amount   int64     `json:"amount" doc:"fen that stay frozen at WeChat"`
	Since    time.Time `json:"since" doc:"when the customer came"`
	GaveUpAt time.Time `json:"gave_up_at"`
	Tries    int       `json:"tries"`
	Error    string    `json:"error"`
}

func viewLostShipments(venue sqlite.Venue, list []sqlite.LostShipment) []LostShipmentView {
	out, zone := []LostShipmentView{}, venue.Calendar.Zone
	for _, h := range list {
		out = append(out, LostShipmentView{Payment: h.PaymentID, Order: h.OrderID, Number: h.OrderNumber, Amount: h.AmountFen,
			Since: h.CreatedAt.In(zone), GaveUpAt: h.GaveUpAt.In(zone), Tries: h.Tries, Error: h.Error})
	}
	return out
}

// ShippedByHand notes that the owner has told WeChat on its own page what the program
// could not. Saying it twice is saying it once.
func (a *App) ShippedByHand(ctx context.Context, actor Actor, paymentID string) error {
	if err := actor.mustBeOwner(); err != nil {
		return err
	}
	return a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		h, found, err := tx.LostShipment(paymentID)
		if err != nil {
			return err
		}
		if !found {
			return domain.Refuse(domain.NotFound, "not_found", "no shipment of this payment was given up")
		}
		if h.DoneAt.IsSet() {
			return nil
		}
		if _, err := tx.ShipmentByHand(paymentID, actor.ID); err != nil {
			return err
		}
		return tx.Audit(actor.audit("ship by hand", h.OrderID, "", map[string]any{"number": h.OrderNumber, "payment": paymentID, "amount": h.AmountFen}))
	})
}

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

// DriveShipments tells WeChat of payments whose customers have come, until nothing is due.
func (a *App) DriveShipments(ctx context.Context) (ShipReport, error) {
	var rep ShipReport
	if a.shipper == nil {
		return rep, nil
	}
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Shipment
		var venue sqlite.Venue
		var now domain.Instant
		err := a.read(ctx, func(s *sqlite.Snapshot, v sqlite.Venue) (err error) {
			venue, now = v, s.Now
			batch, err = s.ShipmentsDue(after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return rep, err
		}
		for _, h := range batch {
			after = h.PaymentID
			if err := ctx.Err(); err != nil {
				return rep, err
			}
			if err := a.ship(ctx, venue, h, now, &rep); err != nil {
				return rep, err
			}
		}
	}
	return rep, ctx.Err()
}

func (a *App) ship(ctx context.Context, venue sqlite.Venue, h sqlite.Shipment, now domain.Instant, rep *ShipReport) error {
	told := a.upload(ctx, Shipping{TransactionID: h.TransactionID, Merchant: h.Merchant, OutTradeNo: h.PaymentID, OpenID: h.OpenID,
		Description: forBank(venue.Name, h.OrderNumber), At: now.In(venue.Calendar.Zone)})
	if told == nil {
		rep.Done++
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.ShipmentDone(h.PaymentID) })
	}
	rep.Failed++
	var later notify.LaterError
	if errors.As(told, &later) {
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
			return tx.ShipmentLater(h.PaymentID, firstLine(told), tx.Now.Add(max(later.After, domain.FirstRetry)))
		})
	}
	a.log.Warn("WeChat was not told that a customer has come", "payment", h.PaymentID, "tries", h.Tries+1, "error", told)
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		return tx.ShipmentFailed(h.PaymentID, firstLine(told), tx.Now.Add(backoff(h.Tries+1)), h.Tries+1 >= domain.MaxNoticeTries || errors.Is(told, notify.ErrRefused))
	})
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

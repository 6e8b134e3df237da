package settings

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// venuePage is what people are told about the venue itself.
type venuePage struct {
	formPage
	Name, Address, Phone kit.Field
	Zone, Currency       string
}

// shown is the part of the set-up that this page changes.
type shown struct{ Name, Address, Phone string }

func shownOf(v sqlite.Venue) shown { return shown{v.Name, v.Address, v.Phone} }

func (p *pages) showVenue(c *fiber.Ctx) error { return p.drawVenue(c, http.StatusOK, nil) }

func (p *pages) drawVenue(c *fiber.Ctx, status int, refusal error) error {
	f, venue, _, err := p.OwnerFrame(c, kit.Words{"场馆", "Venue"})
	if err != nil {
		return err
	}
	dress(&f)
	f.Narrow = true
	f.Said = kit.SaidOf(c, map[string]kit.Words{"saved": {"已保存", "Saved"}})
	page := venuePage{Zone: venue.Zone, Currency: venue.Currency}
	page.Frame, page.Self, page.Mark = f, "/owner/venue", kit.MarkOn(c, shownOf(venue), refusal)
	value := func(name string) string {
		return map[string]string{"name": venue.Name, "address": venue.Address, "phone": venue.Phone}[name]
	}
	if refusal != nil {
		value = sent(c)
	}
	s := kit.NewSheet("", value, kit.WrongAt(refusal, dotted))
	page.Name = textField(s, "name", kit.Words{"名称", "Name"}, 2*domain.MaxNameChars)
	page.Name.Hint, page.Name.Auto, page.Name.Required = kit.Words{"显示在每一页的左上角", "Stands on top of every page"}, "organization", true
	page.Address = textField(s, "address", kit.Words{"地址", "Address"}, 2*domain.MaxNoteChars)
	page.Address.Auto = "street-address"
	page.Phone = textField(s, "phone", kit.Words{"电话", "Phone"}, 2*domain.MaxNameChars)
	page.Phone.Kind, page.Phone.Auto, page.Phone.Hint = "tel", "tel", kit.Words{"怎么写就怎么显示，例如 021-5555 0100", "Shown as you write it, such as 021-5555 0100"}
	page.Trouble = kit.TroubleOf(refusal, s)
	if domain.IsReason(refusal, "changed_meanwhile") {
		page.Theirs = []kit.Words{{"名称 " + venue.Name, "Name " + venue.Name}, {"地址 " + venue.Address, "Address " + venue.Address}, {"电话 " + venue.Phone, "Phone " + venue.Phone}}
	}
	return p.Render(c, status, "venue", page)
}

// saveVenue changes what people are told about the venue.
func (p *pages) saveVenue(c *fiber.Ctx) error {
	_, err := p.App.ChangeVenue(c.UserContext(), httpx.ActorOf(c), "venue", func(v *sqlite.Venue) error {
		name, badName := domain.ParseName("name", kit.Sent(c, "name"))
		address, badAddress := domain.ParseNote("address", kit.Sent(c, "address"))
		phone, badPhone := app.ParseShownPhone("phone", plain(kit.Sent(c, "phone")))
		if err := domain.Together(badName, badAddress, badPhone); err != nil {
			return err
		}
		is := shownOf(*v)
		err := app.Change(&is, shown{name, address, phone}, kit.Sent(c, "mark"))
		v.Name, v.Address, v.Phone = is.Name, is.Address, is.Phone
		return err
	})
	if err == nil {
		return kit.Done(c, "/owner/venue", "saved")
	}
	return kit.Beside(c, err, func(status int) error { return p.drawVenue(c, status, err) })
}

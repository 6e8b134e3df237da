package httpx

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"

	"courtd/app"
	"courtd/domain"
)

type guessesKey struct{}

// guesses counts attempts to sign in by what is tried. Names are kept as hashes:
// they are of any length, and nobody needs to read them.
type guesses struct {
	mu    sync.Mutex
	made  map[[sha256.Size]byte]guess
	swept uint32 // when windows that are over were last thrown away
}

type guess struct {
	ends uint32 // of the window, in seconds
	n    int
}

// CountGuesses has attempts to sign in counted by the phone or user name. One
// count serves the API and the pages.
func CountGuesses() fiber.Handler {
	utils.StartTimeStampUpdater()
	kept := &guesses{made: map[[sha256.Size]byte]guess{}}
	return func(c *fiber.Ctx) error {
		c.Locals(guessesKey{}, kept)
		return c.Next()
	}
}

// bounds are how many attempts each of some buckets holds in one window.
type bounds map[[sha256.Size]byte]int

func bucket(kind string, of ...string) [sha256.Size]byte {
	return sha256.Sum256([]byte(kind + "\x00" + strings.Join(of, "\x00")))
}

// take counts one attempt in each bucket, and refuses it when one of them is full.
// What is refused is not tried and does not count: one stranger who goes on and on
// must not shut out everybody.
func (g *guesses) take(in bounds) error {
	now, window := atomic.LoadUint32(&utils.Timestamp), uint32(RateWindow/time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	if now-g.swept >= window {
		for key, made := range g.made {
			if made.ends <= now {
				delete(g.made, key)
			}
		}
		g.swept = now
	}
	for key, most := range in {
		if made := g.made[key]; made.ends > now && made.n >= most {
			return domain.Refuse(domain.TooMany, "too_many", "too many attempts for this account; Retry-After says when to try again").
				With(retryAfter, int(made.ends-now))
		}
	}
	for key := range in {
		made := g.made[key]
		if made.ends <= now {
			made = guess{ends: now + window}
		}
		made.n++
		g.made[key] = made
	}
	return nil
}

// countIn counts one attempt of the request that a context belongs to.
func countIn(ctx context.Context, in bounds) error {
	kept, counted := ctx.Value(guessesKey{}).(*guesses)
	if !counted {
		return nil // a demonstration
	}
	return kept.take(in)
}

// countGuess counts one attempt for a name by where it comes from, and with those from
// everywhere.
func countGuess(ctx context.Context, name string) error {
	return countIn(ctx, bounds{
		bucket("here", string(fromOf(ctx)), name): MaxLoginsPerName,
		bucket("anywhere", name):                  MaxLoginsAnyhow,
	})
}

// fromOf is where the request of a context comes from.
func fromOf(ctx context.Context) app.From { return app.From(groupOf(ClientIPFrom(ctx))) }

// countPhone counts an attempt for a phone, however it is written. Something that
// is no phone is refused by the use case, and nothing is tried.
func countPhone(ctx context.Context, phone string) error {
	if canonical, err := domain.ParsePhone("phone", phone); err == nil {
		return countGuess(ctx, "phone "+canonical)
	}
	return nil
}

// SendLoginCode is the use case of that name for the API and the pages, counted.
// The context must be that of the request, here and below.
func SendLoginCode(ctx context.Context, a *app.App, phone string) (app.CodeSent, error) {
	if err := countPhone(ctx, phone); err != nil {
		return app.CodeSent{}, err
	}
	return a.SendLoginCode(ctx, phone, fromOf(ctx))
}

// LogIn is the use case of that name for the API and the pages. What is counted is
// what is tried, because both are the same argument.
func LogIn(ctx context.Context, a *app.App, phone, code string) (app.SignedIn, error) {
	if err := countPhone(ctx, phone); err != nil {
		return app.SignedIn{}, err
	}
	return a.LogIn(ctx, phone, code, fromOf(ctx))
}

// ProvePhone is the use case of that name, counted like signing in.
func ProvePhone(ctx context.Context, a *app.App, actor app.Actor, phone, code string) (app.ProfileView, error) {
	if err := countPhone(ctx, phone); err != nil {
		return app.ProfileView{}, err
	}
	return a.ProvePhone(ctx, actor, phone, code, fromOf(ctx))
}

// countEmail counts an attempt for an address of mail, as countPhone does for a phone.
func countEmail(ctx context.Context, email string) error {
	if canonical, err := app.ParseEmail("email", email); err == nil {
		return countGuess(ctx, "email "+canonical)
	}
	return nil
}

// SendEmailCode is the use case of that name, counted.
func SendEmailCode(ctx context.Context, a *app.App, actor app.Actor, email string) (app.EmailCodeSent, error) {
	// One customer must not have mail sent to everybody in the world.
	if err := countIn(ctx, bounds{bucket("mail of", actor.ID): MaxLoginsPerName}); err != nil {
		return app.EmailCodeSent{}, err
	}
	if err := countEmail(ctx, email); err != nil {
		return app.EmailCodeSent{}, err
	}
	return a.SendEmailCode(ctx, actor, email, fromOf(ctx))
}

// ProveEmail is the use case of that name, counted.
func ProveEmail(ctx context.Context, a *app.App, actor app.Actor, email, code string) (app.ProfileView, error) {
	if err := countEmail(ctx, email); err != nil {
		return app.ProfileView{}, err
	}
	return a.ProveEmail(ctx, actor, email, code, fromOf(ctx))
}

// LogInStaff is the use case of that name for the API, counted.
func LogInStaff(ctx context.Context, a *app.App, username, password string) (app.SignedIn, error) {
	username = strings.TrimSpace(username)
	if err := countGuess(ctx, staffName(username)); err != nil {
		return app.SignedIn{}, err
	}
	return a.LogInStaff(ctx, username, password)
}

// staffName is what attempts for a user name are counted by.
func staffName(username string) string { return "username " + username }

// BrowserCookie is the cookie by which a browser is known where a staff member has
// signed in. It signs nobody in.
const BrowserCookie = "courtd_browser"

// SignInStaff signs a staff member in on a page: the browser gets a session, and is
// known for them from then on. An attempt from a browser that is known for the very
// name has a count of its own. So however many strangers guess on and on, who works
// here gets in where they have been before; and whoever has stolen the cookie has
// that one count more than anybody.
func SignInStaff(c *fiber.Ctx, a *app.App, username, password string) error {
	ctx, username, browser := Context(c), strings.TrimSpace(username), c.Cookies(BrowserCookie)
	known, err := a.KnowsBrowser(ctx, username, browser)
	if err != nil {
		return err
	}
	full := !known || countIn(ctx, bounds{bucket("browser", browser): MaxLoginsPerName}) != nil
	if full { // as for everybody: a thief must not keep out who was robbed
		if err := countGuess(ctx, staffName(username)); err != nil {
			return err
		}
	}
	in, kept, err := a.LogInStaffAt(ctx, username, password, browser)
	if err != nil {
		return err
	}
	SetSession(c, in.Token)
	cookie := ownCookie(c, BrowserCookie, kept)
	cookie.MaxAge = int(domain.KnownBrowserLife / time.Second)
	c.Cookie(cookie)
	return nil
}

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

// take counts one attempt from an address, and refuses it when there were too many
// from there or from everywhere. What is refused is not tried and does not count:
// one stranger who goes on and on must not shut out everybody.
func (g *guesses) take(name, address string) error {
	now, window := atomic.LoadUint32(&utils.Timestamp), uint32(RateWindow/time.Second)
	here, anywhere := sha256.Sum256([]byte("here\x00"+address+"\x00"+name)), sha256.Sum256([]byte("anywhere\x00"+name))
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
	bounds := map[[sha256.Size]byte]int{here: MaxLoginsPerName, anywhere: MaxLoginsAnyhow}
	for key, most := range bounds {
		if made := g.made[key]; made.ends > now && made.n >= most {
			return domain.Refuse(domain.TooMany, "too_many", "too many attempts for this account; Retry-After says when to try again").
				With(retryAfter, int(made.ends-now))
		}
	}
	for key := range bounds {
		made := g.made[key]
		if made.ends <= now {
			made = guess{ends: now + window}
		}
		made.n++
		g.made[key] = made
	}
	return nil
}

// countGuess counts one attempt of the request that a context belongs to.
func countGuess(ctx context.Context, name string) error {
	kept, counted := ctx.Value(guessesKey{}).(*guesses)
	if !counted {
		return nil // a demonstration
	}
	return kept.take(name, groupOf(ClientIPFrom(ctx)))
}

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
	return a.SendLoginCode(ctx, phone)
}

// LogIn is the use case of that name for the API and the pages. What is counted is
// what is tried, because both are the same argument.
func LogIn(ctx context.Context, a *app.App, phone, code string) (app.SignedIn, error) {
	if err := countPhone(ctx, phone); err != nil {
		return app.SignedIn{}, err
	}
	return a.LogIn(ctx, phone, code)
}

// LogInStaff is the use case of that name for the API and the pages, counted.
func LogInStaff(ctx context.Context, a *app.App, username, password string) (app.SignedIn, error) {
	username = strings.TrimSpace(username)
	if err := countGuess(ctx, "username "+username); err != nil {
		return app.SignedIn{}, err
	}
	return a.LogInStaff(ctx, username, password)
}

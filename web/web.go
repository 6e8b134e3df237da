// Package web serves the club over HTTP: the API for programs, pages for people,
// and what an operator asks.
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"courtd/app"
	"courtd/domain"
	"courtd/web/api"
	"courtd/web/httpx"
	"courtd/web/pages"
	"courtd/web/pages/kit"
)

// Limits of one connection and one request.
const (
	maxBillForm    = domain.MaxBillBytes + domain.MaxBodyBytes // a bill and what stands around it in a form
	readTimeout    = 15 * time.Second                          // to receive a request
	writeTimeout   = 30 * time.Second                          // to send an answer
	idleTimeout    = 75 * time.Second                          // between requests of one connection
	requestTimeout = 25 * time.Second                          // to work on a request
	maxHeaderBytes = 8 << 10
	// An answer about a day with its headers leaves in one piece.
	writeBufferBytes = 16 << 10
	maxOwnerForm     = 1 << 20
	maxDrainBytes    = 16 << 20 // read and thrown away of a body that is too large
	maxConnections   = 8192
)

// Config is what the server is made of.
type Config struct {
	App            *app.App
	Run            func(ctx context.Context, dryRun, retryParked bool) (any, error) // one round of the reconciler
	Demo           *api.Demo                                                        // nil outside a demonstration
	TrustedProxies []netip.Prefix                                                   // whose X-Forwarded-For is believed
	SecureCookies  bool                                                             // cookies are for HTTPS alone
	Log            *slog.Logger                                                     // nil is slog's own
	Version        string
	SetUpToken     string        // opens the first set-up in a browser; empty when there is nothing to set up
	InFlight       *atomic.Int64 // counts the requests that are being worked on; may be nil
}

// New makes the server. It neither listens nor starts anything else.
func New(cfg Config) (*fiber.App, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	var inWords fiber.ErrorHandler // there is none until the pages are made
	s := fiber.New(fiber.Config{
		Immutable:                    true, // values of a request are kept after it
		CaseSensitive:                true,
		DisableStartupMessage:        true,
		BodyLimit:                    domain.MaxBodyBytes, // the rest is streamed to limitBody
		StreamRequestBody:            true,
		DisablePreParseMultipartForm: true,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ReadBufferSize:               maxHeaderBytes,
		WriteBufferSize:              writeBufferBytes,
		Concurrency:                  maxConnections,
		EnableTrustedProxyCheck:      true,
		TrustedProxies:               texts(cfg.TrustedProxies),
		ErrorHandler:                 func(c *fiber.Ctx, err error) error { return sendError(c, cfg.App, inWords, err) },
	})
	if cfg.InFlight != nil {
		s.Use(countInFlight(cfg.InFlight))
	}
	s.Use(logRequest(cfg.Log), catchPanic(), httpx.Proxies(cfg.TrustedProxies))
	limits, days := httpx.LimitAddress(), api.NewDays(cfg.App)
	if cfg.Demo == nil {
		for _, limit := range limits {
			s.Get(api.DayPath, limit)
		}
		s.Get(api.DayPath, httpx.Counted)
	}
	s.Get(api.DayPath, func(c *fiber.Ctx) error {
		err := days.Answer(c)
		if c.Response().StatusCode() != http.StatusNotModified { // which adds nothing to what was said before
			tellBrowser(c)
		}
		return err
	})
	s.Use(packAnswers(), guardRequest(), limitBody(cfg.App), httpx.Cookies(cfg.SecureCookies))
	s.Get("/healthz", health(cfg.App, cfg.Version))
	s.Get("/readyz", ready(cfg.App))
	if cfg.Demo == nil {
		for _, limit := range limits {
			s.Use(limit)
		}
		s.Use(httpx.CountGuesses())
	}
	if cfg.SetUpToken != "" {
		s.Use([]string{"/api", "/openapi.json", "/docs"}, httpx.UntilSetUp(cfg.App))
	}
	err := api.Register(s, api.Config{App: cfg.App, Run: cfg.Run, Demo: cfg.Demo, Days: days, Version: cfg.Version})
	if err != nil {
		return nil, fmt.Errorf("register the API: %w", err)
	}
	if inWords, err = pages.Register(s, pagesConfig(cfg)); err != nil {
		return nil, fmt.Errorf("register the pages: %w", err)
	}
	refuseUnknownMethods(s)
	return s, nil
}

// refuseUnknownMethods answers methods that HTTP does not know as everything else is
// answered: the framework would do it with a bare text, before any handler has run.
func refuseUnknownMethods(s *fiber.App) {
	known, serve := s.Config().RequestMethods, s.Server().Handler
	s.Server().Handler = func(request *fasthttp.RequestCtx) {
		if slices.Contains(known, string(request.Method())) {
			serve(request)
			return
		}
		c := s.AcquireCtx(request)
		defer s.ReleaseCtx(c)
		tellBrowser(c)
		if err := httpx.NewProblem(http.StatusBadRequest, "malformed", "there is no such method in HTTP").Send(c); err != nil {
			request.Error("", http.StatusInternalServerError)
		}
	}
}

func pagesConfig(cfg Config) kit.Config {
	p := kit.Config{App: cfg.App, Demo: cfg.Demo != nil, Run: cfg.Run, SetUpToken: cfg.SetUpToken}
	if cfg.Demo != nil {
		p.Play = func(ctx context.Context, outTradeNo string, ok bool) error {
			return cfg.Demo.Play(ctx, cfg.App, outTradeNo, ok, true)
		}
	}
	return p
}

func texts(prefixes []netip.Prefix) []string {
	var out []string
	for _, p := range prefixes {
		out = append(out, p.String())
	}
	return out
}

// sendError tells whatever went wrong: a person on a page, and a program in a problem
// document.
func sendError(c *fiber.Ctx, a *app.App, inWords fiber.ErrorHandler, err error) error {
	tellBrowser(c) // also when the request was refused before anybody looked at it
	var problem httpx.Problem
	var status *fiber.Error
	if _, refused := domain.AsError(err); !refused && errors.As(err, &status) {
		problem = problemOfStatus(c, a, status.Code)
	} else {
		problem = httpx.ProblemOf(err, httpx.Zone(c.UserContext(), a))
		if problem.Status >= http.StatusInternalServerError && !domain.IsReason(err, "not_set_up") {
			httpx.NoteOf(c).Err = err
		}
	}
	if inWords != nil && pages.ForPeople(c) && inWords(c, problem) == nil {
		return nil
	}
	return problem.Send(c)
}

// problemOfStatus gives the problem for a refusal of the HTTP machinery itself.
func problemOfStatus(c *fiber.Ctx, a *app.App, status int) httpx.Problem {
	reason, detail := "malformed", "the request cannot be read"
	switch status {
	case http.StatusNotFound:
		reason, detail = "not_found", "there is nothing at this address"
	case http.StatusMethodNotAllowed:
		reason, detail = "method_not_allowed", "this address does not serve that method; Allow says which it does"
	case http.StatusRequestEntityTooLarge:
		reason, detail = "body_too_large", fmt.Sprintf("a body has at most %d bytes here", maxBody(c, a))
	case http.StatusRequestHeaderFieldsTooLarge:
		reason, detail = "headers_too_large", fmt.Sprintf("headers have at most %d bytes", maxHeaderBytes)
	case http.StatusRequestTimeout:
		reason, detail = "request_timeout", "the request did not arrive in time"
	case http.StatusUnsupportedMediaType:
		reason, detail = "unsupported_media_type", "the body must not be compressed"
	default:
		if status >= http.StatusInternalServerError {
			reason, detail = "internal", "something went wrong on our side"
		} else {
			status = http.StatusBadRequest
		}
	}
	return httpx.NewProblem(status, reason, detail)
}

// logRequest writes one line for each request: what was asked and how it ended,
// and nothing about who asked. What went wrong on our side is told here, once. The
// plain answer about a day, of which there are thousands in a second, is written down at
// level debug alone.
func logRequest(log *slog.Logger) fiber.Handler {
	return func(c *fiber.Ctx) error {
		note := &httpx.Note{}
		httpx.KeepNote(c, note)
		if err := c.Next(); err != nil {
			if err := c.App().ErrorHandler(c, err); err != nil {
				return err
			}
		}
		if note.Plain && !log.Enabled(c.UserContext(), slog.LevelDebug) {
			return nil
		}
		id := app.NewID()
		c.Set(fiber.HeaderXRequestID, id)
		line := []any{"method", c.Method(), "path", c.Route().Path, "status", c.Response().StatusCode(), "request", id}
		if note.Err != nil {
			log.Error("request failed", append(line, "error", note.Err)...)
			return nil
		}
		log.Info("request", line...)
		return nil
	}
}

func countInFlight(n *atomic.Int64) fiber.Handler {
	return func(c *fiber.Ctx) error {
		n.Add(1)
		defer n.Add(-1)
		return c.Next()
	}
}

// panicked is a panic of a handler with the stack it happened on.
type panicked struct {
	value any
	stack []byte
}

func (p panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

func catchPanic() fiber.Handler {
	return func(c *fiber.Ctx) (err error) {
		defer func() {
			if value := recover(); value != nil {
				c.Response().ResetBody()
				err = panicked{value, debug.Stack()}
			}
		}()
		return c.Next()
	}
}

// tellBrowser says in an answer what a browser must not do with it.
func tellBrowser(c *fiber.Ctx) {
	const policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=(), payment=()")
}

// guardRequest refuses addresses that no URL can be and bounds the time that is spent
// on a request.
func guardRequest() fiber.Handler {
	return func(c *fiber.Ctx) error {
		tellBrowser(c)
		if _, err := url.ParseRequestURI(string(c.Request().RequestURI())); err != nil {
			return domain.Refuse(domain.Malformed, "malformed", "the address of the request cannot be read")
		}
		ctx, cancel := context.WithTimeout(c.UserContext(), requestTimeout)
		defer cancel()
		c.SetUserContext(ctx)
		return c.Next()
	}
}

// maxBody is how many bytes the body of a request may have. The owner's forms are
// longer than everything else: a year of exceptions of the hours is one form. A bill is
// longer still, and received from nobody but the owner: who sends it is asked before
// anything is read, so that strangers take up no memory.
func maxBody(c *fiber.Ctx, a *app.App) int {
	if c.Method() == fiber.MethodPost && (c.Path() == api.BillsPath || c.Path() == kit.BillPath) && httpx.IsOwner(c, a) {
		return maxBillForm
	}
	if strings.HasPrefix(c.Path(), "/owner/") {
		return maxOwnerForm
	}
	return domain.MaxBodyBytes
}

// limitBody reads the body of a request and refuses one that is too large. What is
// too much is received before the answer is sent: a connection that is closed on
// a client that still sends takes the answer with it.
func limitBody(a *app.App) fiber.Handler {
	return func(c *fiber.Ctx) error {
		stream := c.Request().BodyStream()
		if stream == nil {
			return c.Next()
		}
		if c.Get(fiber.HeaderContentEncoding) != "" {
			// Some kilobytes can unpack to gigabytes.
			return fiber.ErrUnsupportedMediaType
		}
		most := maxBody(c, a)
		body, err := io.ReadAll(io.LimitReader(stream, int64(most)+1))
		if err == nil && len(body) > most {
			_, err = io.CopyN(io.Discard, stream, maxDrainBytes)
			if err == nil || errors.Is(err, io.EOF) {
				err = fiber.ErrRequestEntityTooLarge
			}
		}
		if err != nil {
			c.Context().SetConnectionClose()
			if status := new(fiber.Error); errors.As(err, &status) {
				return err
			}
			return domain.Refuse(domain.Malformed, "malformed", "the body did not arrive as announced").Because(err)
		}
		c.Request().SetBody(body)
		return c.Next()
	}
}

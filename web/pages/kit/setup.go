package kit

import "github.com/gofiber/fiber/v2"

// SetUp adds the page of the first set-up. It is there only if this site was made to be
// set up, and serves as long as there is no venue; everything else then answers that
// there is none. It is for its action to ask for the token.
func (r Routes) SetUp(path string, get, post fiber.Handler) {
	if r.setUp == nil {
		return
	}
	r.router.Get(path, append(r.setUp[:len(r.setUp):len(r.setUp)], get)...)
	r.router.Post(path, append(r.setUp[:len(r.setUp):len(r.setUp)], post)...)
}

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/gofiber/fiber/v2"
)

// serveFloor is the least that a server of this framework can do: the bytes of a file
// from memory at /, and two bytes at /two.
func serveFloor(ctx context.Context, args []string, out io.Writer) error {
	bytes, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	s := fiber.New(fiber.Config{DisableStartupMessage: true})
	s.Get("/", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(bytes)
	})
	s.Get("/two", func(c *fiber.Ctx) error { return c.SendString("ok") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	go func() {
		<-ctx.Done()
		s.Shutdown()
	}()
	return s.Listener(listener)
}

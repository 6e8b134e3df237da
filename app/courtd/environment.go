package main

import (
	"log/slog"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// environment is what was found wrong with variables before any flag was read from them.
// The parser itself would stop at the first and print its value, which may be a secret
// that was pasted into the wrong variable.
type environment []problem

// lookAround reads every variable that sets a flag of any command. One that cannot be
// read, or that is empty, is taken away, so that the rest can be read and judged; what no
// value can be meant to hold at its ends is cut off, and told.
func lookAround(node *kong.Node) (found environment) {
	seen := map[string]bool{}
	for _, flag := range flagsBelow(node) {
		for _, name := range flag.Tag.Envs {
			value, set := os.LookupEnv(name)
			if !set || seen[name] {
				continue
			}
			seen[name] = true
			clean := strings.Trim(value, byteOrderMark+"\r\n")
			switch {
			case clean != value:
				found = append(found, asWarning(name, "开头或末尾有换行符或 BOM（Windows 的文件常有），已忽略", "begins or ends with a line break or a byte order mark, as files of Windows do; it is ignored"))
			case strings.TrimSpace(value) != value:
				found = append(found, asWarning(name, "开头或末尾有空格，请确认不是多余的", "begins or ends with a space; make sure that it is meant"))
			}
			if flag.IsSlice() && flag.Tag.Sep == ',' {
				clean = trimList(clean)
			}
			if clean != "" && !readable(flag, clean) {
				zh, en := wantedOf(flag.Target.Type())
				found = append(found, problem{Setting: name, ZH: zh, EN: en})
				clean = ""
			}
			setOrTake(name, clean)
		}
	}
	return found
}

func setOrTake(name, value string) {
	var err error
	if value == "" {
		err = os.Unsetenv(name)
	} else {
		err = os.Setenv(name, value)
	}
	if err != nil {
		panic(err) // the name is one of ours and the value came from there
	}
}

func flagsBelow(node *kong.Node) []*kong.Flag {
	flags := slices.Clone(node.Flags)
	for _, child := range node.Children {
		flags = append(flags, flagsBelow(child)...)
	}
	return flags
}

// trimList forgives spaces around the commas of a list, and commas with nothing between.
func trimList(text string) string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ",")
}

// readable reports whether a flag takes a value, and sets nothing.
func readable(flag *kong.Flag, value string) bool {
	scan := kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: value})
	return flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, reflect.New(flag.Target.Type()).Elem()) == nil
}

// wantedOf says what a variable must hold whose flag is of a type.
func wantedOf(t reflect.Type) (zh, en string) {
	switch t {
	case reflect.TypeFor[every](), reflect.TypeFor[time.Duration]():
		return "应为时长，例如 5m；0 为关闭", "must be a duration such as 5m, or 0"
	case reflect.TypeFor[[]netip.Prefix]():
		return "应为网段，例如 127.0.0.1/32，多个用逗号分开", "must be networks such as 127.0.0.1/32, with commas between"
	case reflect.TypeFor[slog.Level]():
		return "应为 debug、info、warn 或 error", "must be debug, info, warn or error"
	case reflect.TypeFor[startTime]():
		return "应为时间，例如 2026-12-10T12:00:00+08:00", "must be a time such as 2026-12-10T12:00:00+08:00"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "应为整数", "must be a whole number"
	case reflect.Bool:
		return "应为 true 或 false", "must be true or false"
	}
	return "内容无法识别", "is not understood"
}

// of gives the problems with variables that set flags of some commands.
func (e environment) of(commands ...*kong.Node) []problem {
	var names []string
	for _, command := range commands {
		for _, flag := range flagsBelow(command) {
			names = append(names, flag.Tag.Envs...)
		}
	}
	var out []problem
	for _, p := range e {
		if slices.Contains(names, p.Setting) {
			out = append(out, p)
		}
	}
	return out
}

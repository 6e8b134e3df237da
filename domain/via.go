package domain

import "strings"

// ViaWeChat begins the names of all ways to pay with WeChat, and no other's. The names are
// kept with every payment, and two indexes of the schema go by their beginning.
const ViaWeChat = "wechat_"

// ByWeChat reports whether a way to pay is one of WeChat's.
func ByWeChat(via string) bool { return strings.HasPrefix(via, ViaWeChat) }

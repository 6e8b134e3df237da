package domain

import "net/netip"

// Addresses at which clouds keep the credentials of their machines, outside the link-local
// ranges.
var metadata = []netip.Addr{netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("168.63.129.16"), netip.MustParseAddr("fd00:ec2::254")}

// Ranges of IPv6 within which an address of IPv4 is written: its four bytes begin there.
var within6 = []struct {
	in    netip.Prefix
	bytes int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12}, {netip.MustParsePrefix("64:ff9b:1::/48"), 12}, // by NAT64
	{netip.MustParsePrefix("2002::/16"), 2}, {netip.MustParsePrefix("::/96"), 12},
}

// MayBeTold reports whether something of the venue's own can be at an address: it leaves
// out those that answer for the machine itself or for a whole network, such as a cloud's
// metadata, however they are written. Loopback and private networks are allowed. What a
// name leads to is looked at when something is sent.
func MayBeTold(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if refusedAddress(ip) {
		return false
	}
	for _, w := range within6 {
		if b := ip.As16(); ip.Is6() && w.in.Contains(ip) && refusedAddress(netip.AddrFrom4([4]byte(b[w.bytes:w.bytes+4]))) {
			return false
		}
	}
	return true
}

func refusedAddress(ip netip.Addr) bool {
	for _, m := range metadata {
		if ip == m {
			return true
		}
	}
	return ip.IsLinkLocalUnicast() || ip.IsMulticast()
}

package sms

// NeedsTemplates says that nothing goes by Tencent without an approved template.
func (*Tencent) NeedsTemplates() bool { return true }

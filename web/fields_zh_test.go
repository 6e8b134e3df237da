package web_test

import (
	"fmt"
	"testing"
)

// What is wrong with a field is said in both languages, whoever finds it: the rules,
// what reads the request, or its schema.
func TestFieldsAreRefusedInBothLanguages(t *testing.T) {
	s := open(t)
	for body, want := range map[string]string{
		`{"hold_minutes":0}`:                     "hold_minutes: must be between 1 and 1440 / 须在 1 到 1440 之间",
		`{"opens_at":"7"}`:                       "opens_at: must be a time such as 08:30, or 26:00 for two in the morning after; at most 36:00 / 须为时间，例如 08:30；次日凌晨两点写作 26:00；最晚 36:00",
		`{"hold_minutes":"ten"}`:                 "hold_minutes: expected integer / 须为整数",
		`{"refund_ladder":[{"hours_before":1}]}`: "refund_ladder[0].percent: is required / 必填",
		`{"hold_minutes":5,"colour":"red"}`:      "colour: is not known / 没有这一项",
	} {
		answer := s.put("/api/v1/owner/policy", body).wants(422, "invalid_field")
		errors, _ := answer.json["errors"].([]any)
		if len(errors) != 1 {
			t.Fatalf("%s: %s", body, answer.text)
		}
		e := errors[0].(map[string]any)
		if got := fmt.Sprintf("%v: %v / %v", e["field"], e["message"], e["message_zh"]); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	for _, member := range []string{"field", "message", "message_zh"} {
		if _, ok := s.contract.Components.Schemas["FieldError"].Properties[member]; !ok {
			t.Errorf("the document does not tell of errors[].%s", member)
		}
	}
}

package sms

import (
	"time"

	"courtd/app/notify"
)

// tencentCodes says what Tencent's codes mean for the channel; the first prefix that
// fits. A code that is not here is a failed try, made again later.
var tencentCodes = []struct {
	prefix   string
	sentinel error         // nil is a failed try of one message
	later    time.Duration // for how long the account wants to be left alone, if it does
	words    string
	template bool // the template is named
}{
	// The receiver.
	{prefix: "FailedOperation.PhoneNumberInBlacklist", sentinel: notify.ErrRefused, words: "the receiver has unsubscribed, or is on the carrier's blacklist"},
	{prefix: "InvalidParameterValue.IncorrectPhoneNumber", sentinel: notify.ErrRefused, words: "no such phone number"},
	{prefix: "InvalidParameterValue.ContentLengthLimit", sentinel: notify.ErrRefused, words: "the message is too long"},
	{prefix: "UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone", sentinel: notify.ErrRefused, words: "this template reaches no number abroad", template: true},
	{prefix: "UnsupportedOperation.GlobalTemplateToChineseMainlandPhone", sentinel: notify.ErrRefused, words: "this template reaches no Chinese number", template: true},
	{prefix: "UnsupportedRegion", sentinel: notify.ErrRefused, words: "messages to this country are not possible"},
	// How often the receiver may be written to: soon over, or not today.
	{prefix: "LimitExceeded.PhoneNumberThirtySecondLimit", words: "too many messages to this number within half a minute"},
	{prefix: "LimitExceeded.PhoneNumberOneHourLimit", words: "too many messages to this number within an hour"},
	{prefix: "LimitExceeded.DeliveryFrequencyLimit", words: "too many messages to this number for now"},
	{prefix: "LimitExceeded.PhoneNumber", sentinel: notify.ErrRefused, words: "too many messages to this number today"},
	// What the template takes.
	{prefix: "FailedOperation.TemplateParamSetNotMatchApprovedTemplate", sentinel: notify.ErrRefused, words: "the parameters are not those of the approved template", template: true},
	{prefix: "FailedOperation.ContainSensitiveWord", sentinel: notify.ErrRefused, words: "the message contains a word that is not allowed"},
	{prefix: "InvalidParameterValue.TemplateParameter", sentinel: notify.ErrRefused, words: "the template does not take such a parameter", template: true},
	{prefix: "InvalidParameterValue.ProhibitedUseUrlInTemplateParameter", sentinel: notify.ErrRefused, words: "a parameter must not contain an address", template: true},
	{prefix: "InvalidParameterValue.InvalidParameters", sentinel: notify.ErrRefused, words: "the template does not take such parameters", template: true},
	// The account.
	{prefix: "LimitExceeded", later: time.Hour, words: "the account's limit of messages for today is reached"},
	{prefix: "RequestLimitExceeded", later: time.Minute, words: "too many requests at once"},
	{prefix: "UnauthorizedOperation.SmsMessagesQpsOverLimit", later: time.Minute, words: "too many requests at once"},
	{prefix: "AuthFailure.SignatureExpire", sentinel: notify.ErrDown, words: "this machine's clock is wrong"},
	{prefix: "AuthFailure", sentinel: notify.ErrDown, words: "the SecretId or SecretKey is not accepted, or may not send messages"},
	{prefix: "FailedOperation.InsufficientBalanceInSmsPackage", sentinel: notify.ErrDown, words: "the account's package of messages is used up; buy another"},
	{prefix: "FailedOperation.SignatureIncorrectOrUnapproved", sentinel: notify.ErrDown, words: "the signature is not approved, or not written as it was approved"},
	{prefix: "FailedOperation.TemplateIncorrectOrUnapproved", sentinel: notify.ErrDown, words: "the template is not approved, or its id is wrong", template: true},
	{prefix: "FailedOperation.MissingTemplateToModify", sentinel: notify.ErrDown, words: "there is no such template", template: true},
	{prefix: "FailedOperation.TemplateUnapprovedOrNotExist", sentinel: notify.ErrDown, words: "the template is not approved, or does not exist", template: true},
	{prefix: "InvalidParameterValue.TemplateIdNotExist", sentinel: notify.ErrDown, words: "there is no such template", template: true},
	{prefix: "InvalidParameterValue.SdkAppIdNotExist", sentinel: notify.ErrDown, words: "there is no such SdkAppId"},
	{prefix: "UnauthorizedOperation.SmsSdkAppIdVerifyFail", sentinel: notify.ErrDown, words: "the SdkAppId is not this account's"},
	{prefix: "UnauthorizedOperation", sentinel: notify.ErrDown, words: "the account may not send, or not from this machine's address"},
	{prefix: "ResourceInsufficient", sentinel: notify.ErrDown, words: "the account's package of messages is used up"},
	{prefix: "InternalError", sentinel: notify.ErrDown, words: "an error at Tencent Cloud"},
}

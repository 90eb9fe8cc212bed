package refserver

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// validate refuses undocumented settings of choices with their defaults filled in.
func (c Choices) validate() error {
	for _, err := range []error{
		oneOf("Times", c.Times, Microseconds, WholeSeconds, OffsetTimes, KeptMillis, KeptSeconds, NearSeconds),
		oneOf("UserAgentStatus", c.UserAgentStatus, 400, 403),
		oneOf("UserIDs", c.UserIDs, IntegerIDs, BigIntegerIDs, DigitStringIDs, UUIDs),
		oneOf("EventIDs", c.EventIDs, IntegerIDs, BigIntegerIDs, DigitStringIDs, UUIDs),
		oneOf("SessionsEnd", c.SessionsEnd, NeverByUpdate, ByPasswordChange, ByAnyUpdate),
		oneOf("BlankQuery", c.BlankQuery, FindsNone, FindsAll, RefusesQuery),
		oneOf("MissingQuery", c.MissingQuery, FindsNone, FindsAll, RefusesQuery),
		oneOf("MissingType", c.MissingType, "", store.Follow, store.Friend),
		oneOf("SecondKind", c.SecondKind, BothStand, TakesPlace, RefusedKind),
		oneOf("DuplicateStatus", c.DuplicateStatus, 201, 200, 409),
		oneOf("OthersEventStatus", c.OthersEventStatus, 403, 404),
		oneOf("VersionsCredentials", c.VersionsCredentials, NoCredentials, AppToken, BothTokens),
		oneOf("DisabledVersionStatus", c.DisabledVersionStatus, 410, 404),
		oneOf("RequiredStatus", c.RequiredStatus, 422, 400),
		oneOf("NonObjectStatus", c.NonObjectStatus, 400, 422),
		oneOf("RateScope", c.RateScope, PerApplication, PerUser, PerAddress),
		oneOf("RateHeaders", c.RateHeaders, RetryAfter, NoRateHeaders, QuotaAndRetry),
	} {
		if err != nil {
			return err
		}
	}
	if min(c.Lag, c.SessionLifetime, c.ClockSkew) < 0 || min(c.SessionsPerUser, c.TextBytes, c.ListLength, c.FeedLength) < 0 {
		return errors.New("the choices Lag, SessionLifetime, ClockSkew, SessionsPerUser, TextBytes, ListLength and FeedLength must not be negative")
	}
	return nil
}

func oneOf[T comparable](name string, value T, allowed ...T) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	var values []string
	for _, one := range allowed {
		values = append(values, cmp.Or(fmt.Sprint(one), "empty (the default)"))
	}
	return fmt.Errorf("choice %s is %v; it may be %s", choiceName(reflect.StructField{Name: name}), value, strings.Join(values, ", "))
}

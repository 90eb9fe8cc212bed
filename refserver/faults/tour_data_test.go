package faults_test

import (
	"fmt"
	"strings"
)

func dataTour(x *tour) {
	x.twoApplications()
	long := strings.Repeat("abcdefghij", 30)
	ann := x.create("ann", text("custom_id", "0012"), text("url", "https://a.example/x%2Fy#z"), text("first_name", long), text("last_name", "O'Brien"),
		`"metadata":{"a":"true","b":"null","a.b":"x","$set":"y","e\u0301":"k","r":"a\u200fb"}`,
		`"social_ids":{"Facebook":"12345678901234567","twitter":"007","x":"a,b"}`)
	bob := x.create("bob+tag", text("custom_id", "0A0B0C0D-1111-2222-3333-444455556666"), text("url", "https://b.example/"+long),
		text("first_name", `a "b"`), text("last_name", "Strauß"), `"metadata":{"é":"k"}`, `"social_ids":{"twitter":"7"}`)
	x.update(ann, `"metadata":{"a":"x\\\\y","b":"c\r\nd"}`, text("first_name", "Zoë 😀 x"), text("last_name", strings.Repeat("l", 100)))
	x.update(ann, text("first_name", "zoé"), text("last_name", "Andre"))
	x.update(ann, text("first_name", "ZOÉ"), text("last_name", "André"))
	x.rename(&ann, "Ann")
	x.search(ann, "ann")
	x.update(bob, text("password", "half % of it"))
	x.byName("bob+tag", "half % of it")
	x.update(bob, text("password", long[:80]))
	x.byName("bob+tag", long[:80])
	for i, secret := range []string{"with:colon", "pässwörd", " blanks "} {
		name := fmt.Sprint("secret", i)
		x.created(name, fmt.Sprintf(`{"user_name":%q,"email":"Mixed%d+x@Example.com","password":%q}`, name, i, secret))
		x.byName(name, secret)
		x.byEmail(fmt.Sprintf("Mixed%d+x@Example.com", i), secret)
	}
	for _, name := range []string{"at@home", "20250101", strings.Repeat("long", 20)} {
		x.create(name)
		x.byName(name, password)
	}
	x.created("987654", `{"user_name":"987654","email":"number@example.com","password":"p"}`)
	x.create("cy", text("first_name", "明日香"), text("last_name", "van Gogh'"), `"metadata":{}`)
	x.create("nobody", text("last_name", "Null"))
	x.create("gr", text("first_name", "Anne-Marie"), text("last_name", "Привет Ωμέγα"))
	x.create("wild", text("first_name", `%41 \\ x`))
	x.create("same", text("first_name", "Same"))
	for _, term := range []string{"明日", "ne-Mar", "Gogh'", "van Go", "8765", "ixed1+x", strings.Repeat("long", 12), "bob+", "%41", `\\`, "ПРИВЕТ", "ΩΜΈΓΑ", "x", "same"} {
		x.search(ann, term)
	}
	x.connect(bob, ann, "follow")
	x.connect(bob, x.create("dan"), "follow")
	events := []string{
		`"verb":"like","latitude":0,"longitude":0`, `"verb":"like","latitude":0,"longitude":-180`, `"verb":"like","latitude":89.5,"longitude":139.7`,
		`"verb":"like","latitude":1e-7,"longitude":0.1234567899`, `"verb":"check in now"`, `"verb":"12"`, text("verb", long),
		`"verb":"v","priority":"007","language":"en-US","location":" a%20b "`, `"verb":"v","priority":"true","language":"zh-Hant"`,
		`"verb":"v","object":{"id":"0012","type":"null","display_name":{"en-US":"a","en-GB":"b"}}`, `"verb":"v","object":{"id":"a/b","display_name":{"zh-Hant":"c"}}`,
		`"verb":"v","object":{"id":"a/b"}`, `"verb":"v",` + text("location", long), `"verb":"v",` + text("location", "a 😀 b"),
		`"verb":"v","metadata":{"a":"off","b":"2024-01-02","c":"🇩🇪 \"q\""}`,
	}
	for _, body := range events {
		x.post(ann, body)
		x.feed(bob)
	}
	event := x.post(ann, `"verb":"v","latitude":5.5,"location":"Home","priority":"low"`)
	x.change(ann, event, `"latitude":0`)
	x.change(ann, event, `"location":"HOME"`)
	x.change(ann, event, `"priority":"9"`)
	x.feed(bob)
	astral, values := strings.Repeat("😀", 400), []string{}
	for i := range 10 {
		values = append(values, fmt.Sprintf(`"k%d":%q`, i, long+long[:199]))
	}
	x.post(ann, `"verb":"v","metadata":{"a":"`+astral+`"}`)
	x.post(ann, `"verb":"v","metadata":{`+strings.Join(values, ",")+`}`)
	x.create("keys", `"metadata":{"`+strings.Repeat("é", 40)+`":"x"}`)
	for _, ids := range []string{`"007"`, `"12345678901234567"`, `"a,b"`, `"7","7"`, `"1234"`} {
		for _, platform := range []string{"twitter", "Facebook", "x"} {
			y := x.create("social" + platform + strings.Trim(ids, `"`))
			x.send(y.session, "POST", "/0.2/user/connections/social", fmt.Sprintf(`{"platform":%q,"type":"follow","platform_user_id":"1","connection_ids":[%s]}`, platform, ids))
			x.send(y.session, "GET", "/0.2/user/follows", "")
		}
	}
	dataOfUsers(x)
	dataOfLoginsAndContacts(x)
	dataOfSearches(x)
	dataOfEvents(x)
	dataOfFeeds(x)
}

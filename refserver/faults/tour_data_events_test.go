package faults_test

import "strings"

// dataOfEvents takes the part of the data tour that is about events, as they are
// created and changed.
func dataOfEvents(x *tour) {
	x.post(x.create("with blanks"), `"verb":"v","metadata":{"line":"one","line ":"two"}`)
	feedOfRareLanguages(x)
	objectRenamed(x)
	placesChanged(x)
	formulas(x)
	flagsAndLines(x)
	justWest(x)
	taggedName(x)
	otherRegion(x)
	wholeDegrees(x)
	camelCase(x)
	emojiInChange(x)
	movedToTheSouth(x)
	manyPlaces(x)
	regionalName(x)
	languageWithRegion(x)
	backToNullIsland(x)
	farEast(x)
	americanName(x)
	placesAndColumns(x)
	latitudeAlone(x)
	namedInNorwegian(x)
	placeInCapitals(x)
	beachInSydney(x)
	quotesAndLines(x)
	onTheDateLine(x)
	scriptAndRegion(x)
	dottedKeyInChange(x)
	namedInItsLanguage(x)
	columnInChange(x)
	familyAsEmoji(x)
}

func feedOfRareLanguages(x *tour) {
	reader, poster := x.create("polyglot"), x.create("rarely heard")
	x.connect(reader, poster, "follow")
	for _, tag := range []string{"he-IL", "fil-PH"} {
		x.post(poster, `"verb":"v"`, text("language", tag))
	}
	x.feed(reader)
}

func objectRenamed(x *tour) {
	u := x.create("renames an object")
	x.change(u, x.post(u, `"verb":"v","object":{"id":"1","type":"a"}`), `"object":{"id":"1","type":"b"}`)
}

func placesChanged(x *tour) {
	u := x.create("moves a little")
	event := x.post(u, `"verb":"v","location":"100% organic","latitude":1.5,"longitude":2.5,"metadata":{"a":"b"}`)
	x.change(u, event, `"latitude":1.50004`)
	x.change(u, event, `"metadata":{}`)
}

func formulas(x *tour) {
	x.post(x.create("posts formulas"), `"verb":"v","metadata":{"delta":"-5"}`)
}

func flagsAndLines(x *tour) {
	reader, poster := x.create("reads flags"), x.create("posts flags")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"public":"true"}`)
	x.post(poster, `"verb":"v","metadata":{"address":"1 High Street\nTown"}`)
	x.feed(reader)
}

func justWest(x *tour) {
	x.post(x.create("is in London"), `"verb":"v","latitude":51.5,"longitude":-0.1276`)
}

func taggedName(x *tour) {
	x.post(x.create("writes HTML"), `"verb":"v","object":{"id":"page","display_name":{"en":"The <b> tag"}}`)
}

func otherRegion(x *tour) {
	u := x.create("moves to Austria")
	x.change(u, x.post(u, `"verb":"v","language":"de-DE"`), `"language":"de-AT"`)
}

func wholeDegrees(x *tour) {
	u := x.create("goes due north")
	x.change(u, x.post(u, `"verb":"v","latitude":47.5,"longitude":8.5`), `"latitude":48`)
}

func camelCase(x *tour) { x.post(x.create("adds a photo"), `"verb":"addPhoto"`) }

func emojiInChange(x *tour) {
	u := x.create("adds an emoji")
	x.change(u, x.post(u, `"verb":"v"`), `"location":"Beach 🏖"`)
}

func movedToTheSouth(x *tour) {
	u := x.create("sails on")
	x.change(u, x.post(u, `"verb":"v","latitude":12.5,"longitude":3.5`), `"latitude":-12.5`, `"longitude":-3.5`)
}

func manyPlaces(x *tour) {
	reader, poster := x.create("reads a map"), x.create("is somewhere exactly")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","latitude":52.520007123,"longitude":13.404954987`)
	x.feed(reader)
}

func regionalName(x *tour) {
	x.post(x.create("speaks to two countries"), `"verb":"v","object":{"id":"o","display_name":{"pt-BR":"trem","pt":"comboio"}}`)
}

func languageWithRegion(x *tour) {
	x.post(x.create("writes in two languages"), `"verb":"v","object":{"id":"1","display_name":{"en-US":"Color","en-GB":"Colour"}}`)
}

func backToNullIsland(x *tour) {
	u := x.create("sails south")
	x.change(u, x.post(u, `"verb":"v","latitude":1.5,"longitude":2.5`), `"latitude":0,"longitude":0.0`)
}

func farEast(x *tour) {
	x.post(x.create("is in Tokyo"), `"verb":"v","latitude":35.6895,"longitude":139.6917`)
}

func americanName(x *tour) {
	x.post(x.create("tells English from English"), `"verb":"v","object":{"id":"o","display_name":{"en-US":"Color","en-GB":"Colour"}}`)
}

func placesAndColumns(x *tour) {
	reader, poster := x.create("reads of places"), x.create("posts of places")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.post(poster, `"verb":"v","latitude":44.05`)
	x.post(poster, `"verb":"v","metadata":{"id":"7","colour":"red"}`)
	x.change(poster, event, `"object":{"id":"7","type":"user"}`)
	x.feed(reader)
	gone := x.create("is known by a number", text("custom_id", "4711"))
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func latitudeAlone(x *tour) {
	x.post(x.create("is on a parallel"), `"verb":"v","latitude":51.5`)
}

func namedInNorwegian(x *tour) {
	x.post(x.create("speaks Norwegian"), `"verb":"v","object":{"id":"1","display_name":{"no":"Fjell","en":"Mountain"}}`)
}

func placeInCapitals(x *tour) {
	u := x.create("writes places in capitals")
	event := x.post(u, `"verb":"v","location":"paris"`)
	x.change(u, event, `"location":"Paris"`)
}

func beachInSydney(x *tour) {
	x.post(x.create("is in Sydney"), `"verb":"v","longitude":151.2,"object":{"id":"1","display_name":{"pt-BR":"Praia"}}`)
}

func quotesAndLines(x *tour) {
	x.post(x.create("quotes at length"), `"verb":"v"`, `"metadata":{"quote":`+quoted(strings.Repeat("said \"so\"\n", 50))+`}`)
}

func onTheDateLine(x *tour) {
	u := x.create("sails the Pacific")
	x.post(u, `"verb":"v","longitude":151.2092955`)
	x.post(u, `"verb":"v","longitude":180`)
}

func scriptAndRegion(x *tour) {
	x.post(x.create("writes from Taipei"), `"verb":"v","language":"zh-Hant-TW"`)
}

func dottedKeyInChange(x *tour) {
	u := x.create("is on a screen")
	x.change(u, x.post(u, `"verb":"v"`), `"metadata":{"app.screen":"home"}`)
}

func namedInItsLanguage(x *tour) {
	u := x.create("names it in two languages")
	x.change(u, x.post(u, `"verb":"v","object":{"id":"o"}`), `"language":"de","object":{"id":"o","display_name":{"de":"Haus","en":"house"}}`)
}

func columnInChange(x *tour) {
	u := x.create("sorts its pictures")
	x.change(u, x.post(u, `"verb":"v"`), `"metadata":{"type":"photo","k":"v"}`)
}

func familyAsEmoji(x *tour) {
	x.post(x.create("is with the family"), `"verb":"v"`, text("location", "with 👨\u200d👩\u200d👧"))
}

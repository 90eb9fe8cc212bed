package faults_test

import "fmt"

// dataOfSearches takes the part of the data tour that is about users and terms of
// searches.
func dataOfSearches(x *tour) {
	searchForDottedLetters(x)
	oddTerms(x)
	partOfAnEmail(x)
	colonInTerm(x)
	accentsAndBrackets(x)
	namesWithEntities(x)
	quotedTerm(x)
	termWithAmpersand(x)
	barInTerm(x)
	deletedWithBlankInName(x)
	emailWithUnderscore(x)
	nameWithPercent(x)
	caretInTerm(x)
	apostropheInName(x)
	irishName(x)
	particleInName(x)
	calledWill(x)
	namesakeOfTheIrish(x)
	wordsInOtherOrder(x)
	partOfAFirm(x)
	acrossTheHyphen(x)
	hyphenInFront(x)
	acrossTheSpace(x)
}

func searchForDottedLetters(x *tour) {
	x.search(x.create("dotted", text("first_name", "Ingrid")), "ingri")
}

// oddTerms looks for what query languages have a meaning for, and what is too short for
// some indexes.
func oddTerms(x *tour) {
	u := x.create("odd 0 terms", text("first_name", `De\Xalbert McDonald`), text("last_name", "Ng"))
	for _, term := range []string{"OR", "0", "ng", "mcdonald", `de\_albert`} {
		x.search(u, term)
	}
}

// partOfAnEmail has the domain, which all emails of a tour have, in no term: the results
// would be long.
func partOfAnEmail(x *tour) {
	u := x.create("tapirus")
	x.search(u, "pirus@exa")
	x.search(u, "tapirus@example.com")
}

func colonInTerm(x *tour) {
	colon := x.created("zebu:grey", `{"user_name":"zebu:grey","password":"p"}`)
	x.search(colon, "zebu:gr")
}

func accentsAndBrackets(x *tour) {
	looker := x.create("looks for accents", text("first_name", "Chloé"))
	x.create("in brackets", text("last_name", "Smith (Jr"))
	for _, term := range []string{"Chloe", "h (Jr"} {
		x.search(looker, term)
	}
}

func namesWithEntities(x *tour) {
	u := x.create("shopkeeper", text("last_name", "Hill & Daughters"))
	x.search(u, "amp;")
}

func quotedTerm(x *tour) { x.search(x.create("Quentin of the quotes"), `"quentin of"`) }

func termWithAmpersand(x *tour) {
	u := x.create("looks for a shop", text("last_name", "Quill&Ink"))
	x.create("has a quill", text("last_name", "Quillfeather"))
	x.search(u, "quill&ink")
}

func barInTerm(x *tour) {
	u := x.create("looks for a bar", text("last_name", "Quartz|Flint"))
	x.create("is on one side of it", text("last_name", "Quartzman"))
	x.search(u, "quartz|flint")
}

func deletedWithBlankInName(x *tour) {
	u := x.create("looks for who left")
	x.remove(x.create("left unindexed"))
	x.search(u, "unindexed")
}

func emailWithUnderscore(x *tour) {
	body := fmt.Sprintf(`{"user_name":"underlined","email":"sea_shore@example.com","password":%q}`, password)
	x.search(x.created("underlined", body), "sea_sh")
}

func nameWithPercent(x *tour) {
	u := x.create("gives it all", text("last_name", "100% Fun"))
	x.send(x.create("looks at percents").session, "GET", "/0.2/users/"+u.id, "")
}

func caretInTerm(x *tour) {
	u := x.create("looks for a caret")
	x.create("stands behind it", text("last_name", "Zirkumflex"))
	x.search(u, "^zirkum")
}

func apostropheInName(x *tour) {
	u := x.create("irish too", text("last_name", "O'Leary"))
	x.search(u, "o'lea")
}

func irishName(x *tour) {
	u := x.create("is Irish", text("last_name", "O'Malley"))
	x.search(u, "o'mall")
}

func particleInName(x *tour) {
	looker := x.create("looks for a particle", text("last_name", "de Vries"))
	x.search(looker, "De")
	x.create("same on both", `"social_ids":{"edge":"same.on.both","wave":"same.on.both"}`)
	x.socially(looker, "same.on.both")
}

func calledWill(x *tour) {
	u := x.create("called like a verb", text("first_name", "Will"))
	x.search(u, "will")
}

func namesakeOfTheIrish(x *tour) {
	u := x.create("is as Irish", text("last_name", "O'Malley"))
	x.search(u, "O'Mall")
}

func wordsInOtherOrder(x *tour) {
	u := x.create("Ulysses")
	x.create("Mountain Ulrike")
	x.search(u, "Ulrike mountain")
}

func partOfAFirm(x *tour) {
	x.search(x.create("o'hara", text("last_name", "Black & Decker")), "k & d")
}

func acrossTheHyphen(x *tour) {
	x.search(x.create("has two last names", text("last_name", "Garcia-Lopez")), "cia-lop")
}

func hyphenInFront(x *tour) {
	x.search(x.create("is double-barrelled", text("last_name", "Smith-Jones")), "-jones")
}

func acrossTheSpace(x *tour) {
	x.search(x.create("has three first names", text("first_name", "Mary Ann Sue")), "ann su")
}

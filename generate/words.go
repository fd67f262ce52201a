package generate

import (
	"strings"

	"github.com/assay-eval/assay/internal/words"
)

// Words cuts text into words as words.Of does.
func Words(text string) []string { return words.Of(text) }

// functionWords are the words that say nothing about a topic, in the languages most often met. They are
// left out of content coverage and of known-item queries.
var functionWords = set(`a about after all also an and any are as at be because been before being between both but by can
could did do does each for from had has have he her his how i if in into is it its more most my no nor not of off on once only
or other our out over own s same she should so some such t than that the their them then there these they this those through to
too under until up use very was we were what when where which while who whom why will with would you your
aber als am an auch auf aus bei bin bis da dann das dass dem den der des die dies diese dieser du durch ein eine einem einen
einer es für hat haben hier ich ihr im in ist ja kann man mit nach nicht noch nur oder sein sich sie sind so über um und uns
unter vom von vor war was wenn wer wie wird wir wo zu zum zur
au aux avec ce ces dans de des du elle en est et il ils je la le les leur lui mais ne nous on ou par pas pour qu que qui
sa se ses son sont sur un une vous à
al como con del el ella en es esta este la las lo los más no o para pero por que se si sin su un una y`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// contentWords are the words of text that say something about its topic.
func contentWords(text string) []string {
	var out []string
	for _, w := range Words(text) {
		if !functionWords[w] {
			out = append(out, w)
		}
	}
	return out
}

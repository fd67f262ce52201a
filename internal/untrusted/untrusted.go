// Package untrusted puts text that somebody else wrote, a passage or a query, into the prompt of a language model: as material, never as
// instructions. No text can end the fence it stands in, and none can speak as the chat template.
package untrusted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"strings"
)

// token is what chat templates put between turns, by its shape rather than by name, since every family of models brings its own:
// bars inside brackets of any kind (<|im_end|>, <｜User｜>, <|turn>, [|endofturn|]), one word in capitals in square brackets ([INST],
// [AVAILABLE_TOOLS]), and the names in pointed brackets that tokenizers reserve (<s>, <pad>, <start_of_turn>, <unused12>,
// <BOS_TOKEN>, <think>). HTML has none of these but <s>.
const token = `<{}(\|[^|<>]{1,40}\|?|[^|<>\s]{1,40}\||｜[^<>]{1,60}｜|<\/?SYS>|/?(s|bos|eos|pad|unk|mask|sep|cls|think|tool_call|tool_response|tools|image|audio|video|[A-Z]{2,12}_TOKEN|` +
	`(start|end|begin)_(of|header)_[a-z_]{1,20}|(unused|reserved|extra_id|special)_?[0-9]{1,5}))>|\[{}(\|[^|\[\]]{1,40}\||/?[A-Z]{2,20}(_[A-Z]{1,20}){0,3})\]`

// controls are tokens as a server reads them in the text of a message, as if the template had written them, so that a passage that
// holds them could speak as the system.
var controls = regexp.MustCompile(strings.ReplaceAll(token, "{}", ""))

// Text sets a blank into the tokens of chat templates, which makes them text: also into those that stand in another one.
func Text(text string) string {
	for controls.MatchString(text) {
		text = controls.ReplaceAllStringFunc(text, func(token string) string { return token[:1] + " " + token[1:] })
	}
	return text
}

// shown are tokens as Text shows them.
var shown = regexp.MustCompile(strings.ReplaceAll(token, "{}", " +"))

// Quote takes the blanks of Text out of what a model copied from text, unless they are its own.
func Quote(text, copied string) string {
	if shown.MatchString(text) {
		return copied
	}
	return shown.ReplaceAllStringFunc(copied, func(token string) string { return token[:1] + strings.TrimLeft(token[1:], " ") })
}

// Mark draws the mark of a fence, 16 hex digits that occur in none of the texts. The same seed and texts give the same mark, so that
// the same call is the same bytes again and a cache can answer it.
func Mark(seed uint64, texts ...string) string {
	for {
		h := sha256.New()
		number := func(n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
		number(seed)
		for _, t := range texts {
			number(uint64(len(t)))
			h.Write([]byte(t))
		}
		mark, taken := hex.EncodeToString(h.Sum(nil))[:16], false
		for _, t := range texts {
			taken = taken || strings.Contains(t, mark)
		}
		if !taken {
			return mark
		}
		seed++
	}
}
